import type { Address } from 'viem';
import { ChainTest } from '../../../chain/chains-fixture.js';
import { lie } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import type { Call, Fault } from '../../../chain/hostile/hostile-plan.js';
import { deployPayer, type Payer } from '../../../chain/payer.js';
import { persist } from '../../../chain/persist.js';

// Nodes keep the states of some hundred blocks. Each says so in its own words, and some say nothing sensible at all.

const refusal = (code: number, message: string): Fault => ({ kind: 'refuse', code, message });
const CLIENTS: readonly [client: string, fault: Fault][] = [
  ['geth', refusal(-32000, 'missing trie node 6f1c (path ) state 0x6f1c is not available')],
  ['Nethermind', refusal(-32002, 'No state available for block 0x6f1c')],
  ['Erigon', refusal(-32000, 'old data not available due to pruning')],
  ['Besu', refusal(-32000, 'World state unavailable')],
  ['a provider that says nothing sensible', refusal(-32603, 'Internal error')],
];

let test: ChainTest;
let proxy: HostileNode;
let pay: Payer;

beforeAll(async () => {
  test = await ChainTest.start();
  proxy = await HostileNode.start(test.anvil.rpcUrl);
  pay = await deployPayer(test);
});
beforeEach(async () => {
  proxy.honest();
  await test.mine(2);
  await test.catchUp(test.watcher(proxy.url));
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await proxy?.stop();
  await test?.stop();
});

let subjects = 0;
async function issue(): Promise<[subject: string, address: Address]> {
  subjects += 1;
  return [`pi_${subjects}`, await test.issue(`pi_${subjects}`)];
}

const amounts = async (subject: string) =>
  (await test.transfers(subject)).map(({ amountAtoms }) => amountAtoms).sort();
const tip = async () => Number(await test.anvil.testClient.getBlockNumber());

describe.each(CLIENTS)('on %s', (_client, fault) => {
  it('an outage longer than the kept states stops neither tokens nor the coin', async () => {
    const [[one, first], [two, second]] = [await issue(), await issue()];
    await pay(first, 17n);
    await test.sendToken(second, 5n);
    await test.mine(40);
    const kept: string[] = [];
    for (let height = await tip(); kept.length < 4; height -= 1) {
      kept.push((await test.anvil.testClient.getBlock({ blockNumber: BigInt(height) })).hash);
    }
    const isOld = ({ params }: Call) => !kept.some((hash) => JSON.stringify(params).includes(hash));
    proxy.plan([{ methods: ['eth_call'], asking: isOld, fault }]);
    await persist(test, test.watcher(proxy.url));
    expect([await amounts(one), await amounts(two)]).toEqual([[17n], [5n]]);
    expect((await test.chains.ledger.cursor('ethereum'))!.height).toBe(await tip());
  });
});

it('what another fork holds at a height that was passed is never recorded', async () => {
  const [subject, address] = await issue();
  proxy.plan([{ methods: ['eth_call'], fault: CLIENTS[0]![1] }]);
  await test.mine(3);
  await pay(address, 17n);
  await test.mine(5);
  await test.catchUp(test.watcher(proxy.url));
  expect((await test.chains.health.all())[0]!.closedAssets).toEqual({ ETH: 'balances-unknown' });
  const other = `0x${'ee'.repeat(32)}`;
  const fork = lie('a block of another fork', (result) => ({ ...(result as object), hash: other }));
  const passed = await tip();
  // As it is read again for its money; as a header it is the chain's.
  const isPassed = ({ params: [height, isWhole] }: Call) =>
    isWhole === true && Number(height) > 0 && Number(height) <= passed;
  proxy.plan([{ methods: ['eth_getBlockByNumber'], asking: isPassed, fault: fork }]);
  await test.mine();
  const watcher = test.watcher(proxy.url);
  await expect(test.catchUp(watcher)).rejects.toThrow('is another one than the one that was read');
  proxy.honest();
  await test.catchUp(watcher);
  const [found, ...others] = await test.transfers(subject);
  expect(others).toEqual([]);
  const real = await test.anvil.testClient.getBlock({ blockNumber: BigInt(found!.blockHeight!) });
  expect(found).toMatchObject({ amountAtoms: 17n, blockHash: real.hash });
});

it('what is missing of coin is given the time for which balances are not told', async () => {
  const [subject, address] = await issue();
  await pay(address, 17n);
  await test.mine();
  const watcher = test.watcher(proxy.url);
  await test.catchUp(watcher);
  expect(await amounts(subject)).toEqual([17n]);
  proxy.plan([{ methods: ['eth_call'], fault: CLIENTS[0]![1] }]);
  await test.reorganise(1);
  await test.mine();
  await test.catchUp(watcher);
  const { dataSource } = test.chains;
  await dataSource.query(
    `UPDATE transfer SET missing_since = clock_timestamp() - interval '40 seconds' WHERE subject = $1`,
    [subject],
  );
  const [before] = await test.transfers(subject);
  await dataSource.query(`UPDATE chain_cursor SET synced_at = clock_timestamp() - interval '25 seconds'`);
  await test.mine();
  await test.catchUp(watcher);
  const [missing] = await test.transfers(subject);
  expect(missing).toMatchObject({ state: 'orphaned' });
  // All that has passed since the last look.
  const givenMs = missing!.missingSince!.getTime() - before!.missingSince!.getTime();
  expect(givenMs).toBeGreaterThanOrEqual(25_000);
});
