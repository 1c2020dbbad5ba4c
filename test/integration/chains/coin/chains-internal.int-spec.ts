import { type Address, type Hex, parseEther } from 'viem';
import { whollyObservedAt } from '../../../../src/modules/intents/domain/observed.js';
import { BUYER, ChainTest } from '../../../chain/chains-fixture.js';
import { compileContracts } from '../../../chain/contracts.js';
import { FORGERIES, SENDERS_AND_TRACES } from '../../../chain/evm-faults.js';
import { refusing } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import { SENT_FROM } from '../../../support/nodes/chain-check.js';

const { payout } = compileContracts();
const DEBUG = 'debug_traceBlockByHash';
const PARITY = 'trace_block';

let test: ChainTest;
let proxy: HostileNode;
let contract: Address;
let second: Address;

beforeAll(async () => {
  test = await ChainTest.start();
  test.leaveUntold(SENT_FROM);
  proxy = await HostileNode.start(test.anvil.rpcUrl);
  [contract, second] = [await test.deploy(payout), await test.deploy(payout)];
});
beforeEach(async () => {
  proxy.honest();
  await test.mine(3);
  await catchUp();
});
afterAll(async () => {
  await proxy?.stop();
  await test?.stop();
});

const catchUp = () => test.catchUp(test.watcher(proxy.url));

let subjects = 0;
/** A new intent's address, by its subject. */
async function issue(): Promise<[subject: string, address: Address]> {
  subjects += 1;
  return [`pi_${subjects}`, await test.issue(`pi_${subjects}`)];
}

function call(functionName: string, args: readonly unknown[], ether: string): Promise<Hex> {
  return test.anvil.testClient.writeContract({
    account: BUYER,
    address: contract,
    abi: payout.abi,
    functionName,
    args,
    value: parseEther(ether),
    gas: 1_000_000n,
  });
}

/** What stands in blocks, by output. */
async function live(subject: string): Promise<Record<string, bigint>> {
  const transfers = (await test.transfers(subject)).filter(({ state }) => state === 'included');
  return Object.fromEntries(transfers.map(({ output, amountAtoms }) => [output, amountAtoms]));
}

const amounts = async (subject: string) =>
  (await test.transfers(subject)).filter(({ state }) => state === 'included').map((t) => t.amountAtoms);

const states = async (subject: string) => (await test.transfers(subject)).map(({ state }) => state).sort();

/** By kind of output; `superseded` is credited no more, though only depth or time says that it is gone for good. */
const standings = async (subject: string) =>
  (await test.transfers(subject))
    .map(({ output, state, superseded }) => [output.split(':')[0], superseded ? 'superseded' : state])
    .sort();

/** Received is what the address holds: the invariant of an address that has not spent. */
async function expectBalance(subject: string, address: Address): Promise<void> {
  const sum = (await amounts(subject)).reduce((atoms, amount) => atoms + amount, 0n);
  expect(sum).toBe(await test.anvil.testClient.getBalance({ address }));
}

const NODES = [
  { node: "geth's traces", refuses: [PARITY] },
  { node: "Erigon's traces", refuses: [DEBUG] },
  { node: 'no traces', refuses: [DEBUG, PARITY] },
];

describe.each(NODES)('on a node with $node, coin by internal calls', ({ refuses }) => {
  const hasTraces = refuses.length === 1;
  beforeEach(() => {
    proxy.plan([refusing(...refuses)]);
  });

  it('of a batched withdrawal is credited to each address, beside an ordinary transfer in the same block', async () => {
    const [[one, first], [two, other], [none]] = [await issue(), await issue(), await issue()];
    const txid = await call(
      'pay',
      [
        [first, other, first],
        [parseEther('1'), parseEther('2'), 3n],
      ],
      '3.1',
    );
    await test.send(first, '0.5');
    await test.mine();
    await catchUp();
    const block = await test.anvil.testClient.getBlock();
    const rest = `balance:${first.toLowerCase()}`;
    expect(await live(one)).toEqual({
      native: parseEther('0.5'),
      ...(hasTraces ? { 'call:0': parseEther('1'), 'call:2': 3n } : { [rest]: parseEther('1') + 3n }),
    });
    const [credited] = await test.transfers(two);
    expect(credited).toMatchObject({
      txid: hasTraces ? txid : block.hash,
      asset: 'ETH',
      amountAtoms: parseEther('2'),
      blockHash: block.hash,
    });
    expect(await test.transfers(none)).toEqual([]);
    await test.mine(2);
    await catchUp();
    await expectBalance(one, first);
    await expectBalance(two, other);
  });

  it('of a nested call is credited once, in the block that it came in', async () => {
    const [subject, address] = await issue();
    await call('payThrough', [second, [address], [7n]], '0.1');
    await test.mine();
    const { hash } = await test.anvil.testClient.getBlock();
    await test.mine(4);
    await catchUp();
    expect(await test.transfers(subject)).toMatchObject([{ amountAtoms: 7n, blockHash: hash }]);
    expect(Object.keys(await live(subject))).toEqual([
      hasTraces ? 'call:0.0' : `balance:${address.toLowerCase()}`,
    ]);
  });

  it('of a call that was taken back is not credited, neither inside nor with its whole transaction', async () => {
    const [subject, address] = await issue();
    await call('fail', [address], '1');
    await call('payAndFail', [address], '1');
    await test.mine();
    await catchUp();
    expect(await test.transfers(subject)).toEqual([]);
  });

  it('of a destroyed contract is credited: it is there to stay', async () => {
    const [subject, address] = await issue();
    await call('destroy', [address], '0.25');
    await test.mine();
    await catchUp();
    expect(await amounts(subject)).toEqual([parseEther('0.25')]);
  });

  it('is missing after a reorganisation that drops it, and counts once when another block has it again', async () => {
    const [subject, address] = await issue();
    const txid = await call('pay', [[address], [9n]], '1');
    await test.mine();
    await catchUp();
    const [before] = await test.transfers(subject);
    const raw = await test.rawTransaction(txid);
    await test.reorganise(1);
    await catchUp();
    expect(await states(subject)).toEqual(['orphaned']);
    await test.reorganise(1, [[raw, 0]]);
    await test.mine();
    await catchUp();
    expect(await standings(subject)).toEqual(
      hasTraces
        ? [['call', 'included']]
        : [
            ['balance', 'included'],
            ['balance', 'superseded'],
          ],
    );
    const after = (await test.transfers(subject)).find(({ state }) => state === 'included');
    expect(after).toMatchObject({ amountAtoms: 9n });
    // A balance is a row of its own in each block: that it was there before it says by what it inherits.
    expect(whollyObservedAt(after!).getTime()).toBeLessThanOrEqual(before!.observedAt.getTime());
    await expectBalance(subject, address);
  });

  it('is told from what the owner moves away', async () => {
    const [subject, address] = await issue();
    const { testClient } = test.anvil;
    await call('pay', [[address], [parseEther('2')]], '2');
    await test.mine();
    await catchUp();
    await testClient.impersonateAccount({ address });
    await test.send(second, '0', address).catch(() => undefined); // the contract refuses it: only the fee is gone
    await test.send(BUYER, '1.5', address);
    await test.mine();
    await catchUp();
    expect(await amounts(subject)).toEqual([parseEther('2')]);
    await test.reorganise(1); // the coins are back, and nobody has sent them
    await test.mine();
    await catchUp();
    expect(await amounts(subject)).toEqual([parseEther('2')]);
    await expectBalance(subject, address);
    await test.send(address, '0.1', address); // to itself, as wallets cancel: brings nothing
    await test.mine();
    await catchUp();
    expect(await amounts(subject)).toEqual([parseEther('2')]);
    await call('pay', [[address], [5n]], '1');
    await test.mine();
    await catchUp();
    expect(await amounts(subject)).toEqual([parseEther('2'), 5n]);
  });
});

describe('coin by internal calls', () => {
  it('that an address held before it was issued is recorded as such, and what comes then as a payment', async () => {
    const [known] = await test.chains.dataSource.query<{ next: number }[]>(
      'SELECT next_index AS next FROM extended_key',
    );
    const address = await test.issue('pi_peek');
    // As after a restored backup: the address is about to be issued, and holds an earlier buyer's money.
    await test.chains.dataSource.query(`DELETE FROM address WHERE subject = 'pi_peek'`);
    await test.chains.dataSource.query('UPDATE extended_key SET next_index = $1', [known!.next]);
    await test.send(address, '3');
    await test.mine();
    await catchUp();
    expect(await test.issue('pi_again')).toBe(address);
    const output = `balance:${address.toLowerCase()}`;
    const before = { amountAtoms: parseEther('3'), beforeIssue: true, output };
    await test.mine();
    await catchUp();
    expect(await test.transfers('pi_again')).toMatchObject([before]);
    await call('pay', [[address], [11n]], '1');
    await test.mine();
    await catchUp();
    expect(await test.transfers('pi_again')).toMatchObject([
      before,
      { amountAtoms: 11n, beforeIssue: false },
    ]);
    await test.reorganise(1); // what lay there before the address was issued is no payment in another block either
    await test.mine();
    await catchUp();
    expect(await standings('pi_again')).toEqual([
      ['balance', 'included'],
      ['call', 'orphaned'],
    ]);
    await expectBalance('pi_again', address);
  });

  it('hidden by a spending in the same block is found where there are traces', async () => {
    const [subject, address] = await issue();
    await test.send(address, '2');
    await test.mine();
    await catchUp();
    await test.anvil.testClient.impersonateAccount({ address });
    await test.send(BUYER, '1.5', address);
    await call('pay', [[address], [13n]], '1');
    await test.mine();
    await catchUp();
    expect(await live(subject)).toEqual({ native: parseEther('2'), 'call:0': 13n });
  });

  it('is no more than the balance says, where a node names its address as a sender and traces a payment to it', async () => {
    const [subject, address] = await issue();
    await test.sendToken(address, 5n);
    await test.mine();
    proxy.plan(SENDERS_AND_TRACES.map((when) => ({ ...when, fault: FORGERIES.forged })));
    await catchUp();
    expect(proxy.strikes).toBeGreaterThan(1);
    expect(await amounts(subject)).toEqual([5n]);
  });

  it('told by a trace before a reorganisation and by the balance after it counts once', async () => {
    const [subject, address] = await issue();
    const txid = await call('pay', [[address], [9n]], '1');
    await test.mine();
    await catchUp();
    const raw = await test.rawTransaction(txid);
    proxy.plan([refusing(DEBUG, PARITY)]);
    await test.reorganise(1, [[raw, 0]]);
    await test.mine();
    await catchUp();
    expect(await standings(subject)).toEqual([
      ['balance', 'included'],
      ['call', 'superseded'],
    ]);
    proxy.honest();
    await test.reorganise(2, [[raw, 0]]);
    await test.mine();
    await catchUp();
    expect(await standings(subject)).toEqual([
      ['balance', 'superseded'],
      ['call', 'included'],
    ]);
  });

  it('holds up the cursor while a node refuses balances, and is found when it tells them again', async () => {
    const [subject, address] = await issue();
    const before = await test.chains.ledger.cursor('ethereum');
    proxy.plan([refusing('eth_call')]);
    await call('pay', [[address], [17n]], '1');
    await test.mine();
    await expect(catchUp()).rejects.toThrow();
    expect(await test.chains.ledger.cursor('ethereum')).toEqual(before);
    proxy.honest();
    await catchUp();
    expect(await amounts(subject)).toEqual([17n]);
  });
});
