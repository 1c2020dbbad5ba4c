import { type Address, type Hex, keccak256, parseEther } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { BalancesRepository } from '../../../../src/modules/chains/data/balances/balances.repository.js';
import { accountXpub, BUYER, ChainTest, createMerchant } from '../../../chain/chains-fixture.js';
import { lie } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import type { Fault, Rule } from '../../../chain/hostile/hostile-plan.js';
import { deployPayer, type Payer } from '../../../chain/payer.js';
import { persist } from '../../../chain/persist.js';
import { by } from '../../../support/intents/by.js';
import { SENT_FROM } from '../../../support/nodes/chain-check.js';

const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const TRACES = ['debug_traceBlockByHash', 'trace_block'];

let test: ChainTest;
let proxy: HostileNode;
let pay: Payer;

beforeAll(async () => {
  test = await ChainTest.start();
  test.leaveUntold(SENT_FROM);
  proxy = await HostileNode.start(test.anvil.rpcUrl);
  pay = await deployPayer(test);
});
beforeEach(async () => {
  proxy.honest();
  await test.mine(2);
  await catchUp();
});
afterAll(async () => {
  await proxy?.stop();
  await test?.stop();
});

const catchUp = () => test.catchUp(test.watcher(proxy.url));

let subjects = 0;
async function issue(): Promise<[subject: string, address: Address]> {
  subjects += 1;
  return [`pi_${subjects}`, await test.issue(`pi_${subjects}`)];
}

const amounts = async (subject: string) =>
  (await test.transfers(subject)).map(({ amountAtoms }) => amountAtoms);
const PRUNED: Fault = { kind: 'refuse', code: -32000, message: 'missing trie node' };
const NO_METHOD: Fault = { kind: 'refuse', code: -32601, message: 'Method not found' };
const closed = async () => (await test.chains.health.all())[0]!.closedAssets;

describe('coin that a contract pays', () => {
  it('before the first look at its address is money, not what it held before, once the node tells balances', async () => {
    const [subject, address] = await issue();
    proxy.plan([{ methods: ['eth_call'], fault: PRUNED }]);
    await pay(address, 17n);
    await test.mine();
    await catchUp();
    expect(await test.transfers(subject)).toEqual([]);
    expect(await closed()).toEqual({ ETH: 'balances-unknown' });
    // The blocks from before the address was issued are not remembered either, as after a long outage.
    await test.chains.dataSource.query('UPDATE chain_block SET recorded_at = clock_timestamp()');
    await test.chains.dataSource.query('DELETE FROM coin_baseline');
    proxy.honest();
    await test.mine();
    await catchUp();
    expect(await test.transfers(subject)).toMatchObject([{ amountAtoms: 17n, state: 'included' }]);
    expect(await closed()).toEqual({});
  });

  it('while the node told no balances stands in the block that it came in, once it does', async () => {
    const [[first, one], [second, two]] = [await issue(), await issue()];
    await test.mine();
    await catchUp();
    proxy.plan([{ methods: ['eth_call'], fault: PRUNED }]);
    const paid: Hex[] = [];
    const passed = async () => {
      await test.mine(2);
      await catchUp();
    };
    paid.push(await pay(one, 11n));
    await passed();
    await test.send(one, '0.5');
    await passed();
    const [third, three] = await issue();
    paid.push(await pay(two, 13n), await pay(three, 15n));
    await passed();
    paid.push(await pay(one, 17n));
    await passed();
    const isUnseen = (asset: string) =>
      test.chains.health.isAnyUnseen(test.chains.dataSource, [
        { network: 'ethereum', asset, watchedAddress: one.toLowerCase() },
      ]);
    expect([await isUnseen('ETH'), await isUnseen('USDC')]).toEqual([true, false]);
    proxy.honest();
    await passed();
    expect(await isUnseen('ETH')).toBe(false);
    const found = await Promise.all([first, second, third].map((subject) => test.transfers(subject)));
    const internal = found.flat().filter(({ txid }) => paid.includes(txid as Hex));
    const amountOf = new Map(internal.map(({ txid, amountAtoms }) => [txid, amountAtoms]));
    expect(paid.map((txid) => amountOf.get(txid))).toEqual([11n, 13n, 15n, 17n]);
    expect(internal).toHaveLength(4);
    for (const { txid, blockHeight, blockTime, observedAt } of internal) {
      const receipt = await test.anvil.testClient.getTransactionReceipt({ hash: txid as Hex });
      expect(blockHeight).toBe(Number(receipt.blockNumber));
      expect(observedAt.getTime()).toBeLessThanOrEqual(blockTime!.getTime());
    }
    expect(
      found.map((transfers) => transfers.reduce((sum, { amountAtoms }) => sum + amountAtoms, 0n)),
    ).toEqual([parseEther('0.5') + 28n, 13n, 15n]);
  });

  it('is found where the node no longer has the state of the block before it, as after its restart', async () => {
    const [subject, address] = await issue();
    const old = (await test.chains.ledger.cursor('ethereum'))!;
    await pay(address, 19n);
    await test.mine();
    proxy.plan([{ methods: ['eth_call'], holding: old.hash, fault: PRUNED }]);
    await persist(test, test.watcher(proxy.url));
    expect(await amounts(subject)).toEqual([19n]);
  });

  it.each([
    { node: 'with traces', rules: [] as Rule[] },
    { node: 'without traces', rules: [{ methods: TRACES, fault: NO_METHOD }] },
  ])(
    'and is moved on to exactly nothing in the same block is recorded on a node $node',
    async ({ rules }) => {
      const [subject, address] = await issue();
      const { testClient } = test.anvil;
      await test.mine();
      await catchUp();
      proxy.plan(rules);
      const gasPrice = (await testClient.getBlock()).baseFeePerGas! * 2n;
      const atoms = parseEther('1') + 21_000n * gasPrice;
      // A reorganisation puts both into one block: the pool would refuse what the owner cannot pay yet.
      const paid = await pay(address, atoms);
      await test.mine(2);
      const [{ index }] = await test.chains.dataSource.query<[{ index: number }]>(
        'SELECT derivation_index AS index FROM address WHERE subject = $1',
        [subject],
      );
      const owner = mnemonicToAccount(MNEMONIC, { path: `m/44'/60'/0'/0/${index}` });
      const own = { chainId: 31337, nonce: 0, to: BUYER, value: parseEther('1'), gas: 21_000n, gasPrice };
      const raws = [await test.rawTransaction(paid), await owner.signTransaction({ ...own, type: 'legacy' })];
      const moved = keccak256(raws[1] as Hex);
      await test.reorganise(2, [
        [raws[0]!, 0],
        [raws[1]!, 0],
      ]);
      const { blockHash } = await testClient.getTransactionReceipt({ hash: paid });
      expect((await testClient.getTransactionReceipt({ hash: moved })).blockHash).toBe(blockHash);
      expect(await testClient.getBalance({ address })).toBe(0n);
      await catchUp();
      expect(await amounts(subject)).toEqual([atoms]);
    },
  );

  it('and is moved on in a later block of one step is recorded', async () => {
    const [subject, address] = await issue();
    const { testClient } = test.anvil;
    await test.mine();
    await catchUp();
    await testClient.impersonateAccount({ address });
    const price = (await testClient.getBlock()).baseFeePerGas! * 2n;
    const atoms = parseEther('1') + 21_000n * price;
    await pay(address, atoms);
    await test.mine();
    await testClient.sendTransaction({
      account: address,
      to: BUYER,
      value: parseEther('1'),
      gas: 21_000n,
      gasPrice: price,
    });
    await test.mine();
    expect(await testClient.getBalance({ address })).toBe(0n);
    await catchUp();
    expect(await amounts(subject)).toEqual([atoms]);
  });
});

describe('a trace that hangs', () => {
  it('holds up neither an unrelated payment in the same block nor the coin itself', async () => {
    const [[one, first], [other, second]] = [await issue(), await issue()];
    proxy.plan([{ methods: TRACES, fault: { kind: 'hang', ms: Infinity } }]);
    await pay(first, 23n);
    await test.sendToken(second, 5n);
    await test.mine();
    const watcher = test.watcher(proxy.url);
    await test.catchUp(watcher);
    const asked = () => TRACES.map((method) => proxy.timesAsked(method));
    const before = asked();
    expect(proxy.strikes).toBeGreaterThan(0);
    expect([await amounts(one), await amounts(other)]).toEqual([[23n], [5n]]);
    await pay(first, 29n);
    await test.mine();
    await test.catchUp(watcher);
    expect(asked()).toEqual(before); // they are left alone for a while
    expect(await amounts(one)).toEqual([23n, 29n]);
  });
});

describe('the addresses whose balances are compared', () => {
  it('are of every merchant in turn, the newest first, and the others are counted', async () => {
    const { addresses, extendedKeys, dataSource } = test.chains;
    await createMerchant(dataSource, 'mer_small');
    await extendedKeys.set(
      { merchantId: 'mer_small', network: 'ethereum', xpub: accountXpub(3) },
      by('test'),
    );
    const wanted = {
      merchantId: 'mer_small',
      network: 'ethereum',
      asset: 'ETH',
      subject: 'pi_small',
      confirmationDepth: 1,
    };
    const small = await dataSource.transaction((tx) => addresses.issue(tx, wanted));
    for (let i = 0; i < 12; i += 1) await issue();
    const repository = test.chains.app.get(BalancesRepository, { strict: false });
    const { balances, unwatched } = await repository.watched('ethereum', 'evm', 4);
    expect(balances).toHaveLength(4);
    expect(balances.map(({ address }) => address)).toContain(small.watchedAddress);
    expect(unwatched).toBeGreaterThan(0);
  });

  it('are those with an open window first, whoever has them', async () => {
    const { dataSource } = test.chains;
    const repository = test.chains.app.get(BalancesRepository, { strict: false });
    await dataSource.query(
      `UPDATE address SET created_at = created_at - interval '30 minutes' WHERE subject = 'pi_small'`,
    );
    const open: string[] = [];
    for (let i = 0; i < 3; i += 1) open.push((await issue())[1].toLowerCase());
    await dataSource.query(
      `UPDATE address SET created_at = created_at - interval '30 minutes' WHERE NOT address = ANY ($1)`,
      [open],
    );
    const { balances } = await repository.watched('ethereum', 'evm', 4);
    expect(balances.map(({ address }) => address)).toEqual(expect.arrayContaining(open));
    const [, ...others] = (await repository.watched('ethereum', 'evm', 3)).balances;
    expect(others.every(({ address }) => open.includes(address))).toBe(true);
  });

  it('are credited nothing again when the coin gets another symbol', async () => {
    const [subject, address] = await issue();
    await test.send(address, '0.5');
    await pay(address, 31n);
    await test.mine();
    await catchUp();
    const before = await amounts(subject);
    const assets = test.network.assets.map((asset) =>
      asset.contract === null ? { ...asset, symbol: 'XETH' } : asset,
    );
    await test.mine(2);
    await test.catchUp(test.watcher(proxy.url, { assets }));
    expect(await amounts(subject)).toEqual(before);
  });
});

describe('a transaction that its block does not list', () => {
  const unlisted = (txid: string) => {
    const fault = lie('a block without the transaction', (result) => {
      const block = result as { transactions: readonly (string | { hash: string })[] };
      const listed = block.transactions.filter((tx) => typeof tx === 'string' || tx.hash !== txid);
      return { ...block, transactions: listed };
    });
    return { methods: ['eth_getBlockByNumber'], fault };
  };

  it('is credited by the receipt of its log, and stops nothing', async () => {
    const [subject, address] = await issue();
    const txid = await test.sendToken(address, 7n);
    await test.mine();
    proxy.plan([unlisted(txid)]);
    await catchUp();
    expect(await amounts(subject)).toEqual([7n]);
  });

  it('is credited by its trace, and stops nothing', async () => {
    const [subject, address] = await issue();
    const txid = await pay(address, 5n);
    await test.mine();
    proxy.plan([unlisted(txid)]);
    await catchUp();
    expect(await test.transfers(subject)).toMatchObject([{ txid, amountAtoms: 5n }]);
  });
});
