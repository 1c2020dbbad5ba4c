import { type Address, parseEther, parseGwei } from 'viem';
import { BUYER, ChainTest, ERC20 } from '../../chain/chains-fixture.js';
import { compileContracts } from '../../chain/contracts.js';

let test: ChainTest;

beforeAll(async () => {
  test = await ChainTest.start();
});
afterAll(() => test.stop());

const summary = async (subject: string) =>
  (await test.transfers(subject)).map(({ asset, output, amountAtoms, state }) => ({
    asset,
    output,
    amountAtoms,
    state,
  }));

describe('a deposit', () => {
  it('in coin is credited to the atom, with its block, sender and subject', async () => {
    const address = await test.issue('pi_coin');
    const txid = await test.send(address, '0.123456789012345678');
    await test.mine();
    expect(await test.catchUp()).toBe('synced');
    const block = await test.anvil.testClient.getBlock();
    expect(await test.transfers('pi_coin')).toEqual([
      {
        id: expect.stringMatching(/^tr_/),
        network: 'ethereum',
        txid,
        output: 'native',
        asset: 'ETH',
        decimals: 18,
        address: address.toLowerCase(),
        amountAtoms: 123_456_789_012_345_678n,
        state: 'included',
        blockHeight: Number(block.number),
        blockHash: block.hash,
        blockTime: new Date(Number(block.timestamp) * 1_000),
        firstSeenAt: expect.any(Date),
        observedAt: new Date(Number(block.timestamp) * 1_000),
        // Since the look of another watcher.
        blindSince: expect.any(Date),
        missingSince: null,
        uses: [expect.stringMatching(/^0x[0-9a-f]{40} \d+$/)],
        inPlaceOf: [],
        replacedBy: null,
        superseded: false,
        beforeIssue: false,
        own: false,
      },
    ]);
  });

  it('in a token is credited by its contract, and wakes its subject', async () => {
    const changed = new Promise<void>((resolve) => test.chains.facts.changed.subscribe(() => resolve()));
    await test.sendToken(await test.issue('pi_usdc'), 12_345_678n);
    await test.mine();
    await test.catchUp();
    expect(await summary('pi_usdc')).toEqual([
      { asset: 'USDC', output: 'log:0', amountAtoms: 12_345_678n, state: 'included' },
    ]);
    await changed;
    const change = (await test.chains.facts.changes(100)).find(({ subject }) => subject === 'pi_usdc');
    await test.chains.dataSource.transaction((tx) => test.chains.facts.acknowledge(tx, change!, []));
    expect((await test.chains.facts.changes(100)).map(({ subject }) => subject)).not.toContain('pi_usdc');
  });

  it('is one of many in a batched withdrawal', async () => {
    const { disperse } = compileContracts();
    const contract = await test.deploy(disperse);
    const token = test.anvil.tokens.USDC.address;
    const { testClient } = test.anvil;
    await testClient.writeContract({
      account: BUYER,
      address: token,
      abi: ERC20,
      functionName: 'approve',
      args: [contract, 1_000_000_000n],
    });
    await test.mine();
    const [one, two] = [await test.issue('pi_one'), await test.issue('pi_two')];
    const stranger: Address = '0x00000000000000000000000000000000000a11ce';
    await testClient.writeContract({
      account: BUYER,
      address: contract,
      abi: disperse.abi,
      functionName: 'disperse',
      args: [token, [stranger, one, two, one], [1n, 10n, 20n, 30n]],
      gas: 1_000_000n,
    });
    await test.mine();
    await test.catchUp();
    const [first, second] = [await test.transfers('pi_one'), await test.transfers('pi_two')];
    expect(first.map(({ amountAtoms }) => amountAtoms).sort()).toEqual([10n, 30n]);
    expect(second.map(({ amountAtoms }) => amountAtoms)).toEqual([20n]);
    expect(new Set([...first, ...second].map(({ txid }) => txid)).size).toBe(1);
  });

  it('is none when a contract that calls itself USDC says so', async () => {
    const { lyingToken } = compileContracts();
    const contract = await test.deploy(lyingToken);
    const to = await test.issue('pi_fooled');
    await test.anvil.testClient.writeContract({
      account: BUYER,
      address: contract,
      abi: lyingToken.abi,
      functionName: 'lie',
      args: [to, 1_000_000_000_000n],
      gas: 100_000n,
    });
    await test.mine();
    await test.catchUp();
    expect(await test.transfers('pi_fooled')).toEqual([]);
  });

  it('is none when its transaction failed, nor when it is 0', async () => {
    const { testClient } = test.anvil;
    const to = await test.issue('pi_failed');
    await testClient.setCode({ address: to, bytecode: '0x60006000fd' });
    const hash = await test.send(to, '1', BUYER, { gas: 100_000n });
    await test.sendToken(to, 0n);
    await test.mine();
    expect((await testClient.getTransactionReceipt({ hash })).status).toBe('reverted');
    await testClient.setCode({ address: to, bytecode: '0x' });
    await test.catchUp();
    expect(await test.transfers('pi_failed')).toEqual([]);
  });

  it('in a token that keeps a fee is what arrived, not what was sent', async () => {
    const { feeToken } = compileContracts();
    const contract = await test.deploy(feeToken);
    const to = await test.issue('pi_fee');
    await test.sendToken(to, 1_000n, contract);
    await test.mine();
    const assets = [...test.network.assets, { symbol: 'FEE', decimals: 6, contract, dustAtoms: 1n }];
    await test.catchUp(test.watcher(test.anvil.rpcUrl, { assets }));
    expect((await test.transfers('pi_fee')).map(({ asset, amountAtoms }) => [asset, amountAtoms])).toEqual([
      ['FEE', 990n],
    ]);
  });

  it('whose transaction was replaced by another of its nonce is what a block holds, and counts once', async () => {
    const { testClient } = test.anvil;
    const [paid, emptied] = [await test.issue('pi_bumped'), await test.issue('pi_taken_back')];
    const nonce = await testClient.getTransactionCount({ address: BUYER, blockTag: 'pending' });
    const first = await test.send(paid, '0.3', BUYER, { nonce });
    await test.send(emptied, '0.4', BUYER, { nonce: nonce + 1 });
    await test.catchUp();
    const fees = { maxFeePerGas: parseGwei('500'), maxPriorityFeePerGas: parseGwei('50') };
    const bumped = await test.send(paid, '0.3', BUYER, { nonce, ...fees });
    await test.send(BUYER, '0.4', BUYER, { nonce: nonce + 1, ...fees });
    await test.mine();
    await test.catchUp();
    expect(await test.transfers('pi_bumped')).toMatchObject([
      { txid: bumped, amountAtoms: parseEther('0.3') },
    ]);
    expect(bumped).not.toBe(first);
    expect(await test.transfers('pi_taken_back')).toEqual([]);
  });

  it('wakes its subject at every block until it is final and a hundred blocks are on it', async () => {
    const { facts, dataSource } = test.chains;
    await test.send(await test.issue('pi_deep'), '0.01');
    const wokenBy = async (blocks: number) => {
      await dataSource.query('DELETE FROM fact_change');
      await test.mine(blocks);
      await test.catchUp();
      return (await facts.changes(100)).some(({ subject }) => subject === 'pi_deep');
    };
    // Slots of 2: a block is finalized when it has four above it, which is not yet deep enough for every number.
    for (let depth = 1; depth <= 7; depth++) expect(await wokenBy(1)).toBe(true);
    expect([await wokenBy(94), await wokenBy(1)]).toEqual([true, false]);
    const { tips } = await facts.of(dataSource, 'pi_deep');
    const tip = tips.get('ethereum')!;
    expect(tip.height - tip.finalizedHeight).toBe(4);
  });
});

describe('a change', () => {
  it('that happens again during a decision stays', async () => {
    const { facts, dataSource } = test.chains;
    await test.send(await test.issue('pi_twice'), '0.01');
    await test.mine();
    await test.catchUp();
    const read = async () => (await facts.changes(100)).find(({ subject }) => subject === 'pi_twice')!;
    const before = await read();
    await test.mine();
    await test.catchUp();
    await dataSource.transaction((tx) => facts.acknowledge(tx, before, []));
    const after = await read();
    expect(after.version).not.toBe(before.version);
    await dataSource.transaction((tx) => facts.acknowledge(tx, after, []));
    expect(await read()).toBeUndefined();
  });
});
