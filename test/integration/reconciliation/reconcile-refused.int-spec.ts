import { type Address, numberToHex, parseEther } from 'viem';
import { EvmHistory } from '../../../src/modules/chains/reconciliation/evm/history.js';
import { Pace } from '../../../src/modules/chains/reconciliation/pace.js';
import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { BUYER, ChainTest } from '../../chain/chains-fixture.js';
import { compileContracts } from '../../chain/contracts.js';
import { refusedLogs } from '../../chain/evm-faults.js';
import { REFUSALS } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import type { Fault, Rule } from '../../chain/hostile/hostile-plan.js';
import { presentTerm } from '../../chain/term.js';
import { SENT_FROM } from '../../support/nodes/chain-check.js';

const { payout } = compileContracts();

let test: ChainTest;
let proxy: HostileNode;
let contract: Address;
let reconciliation: ReconciliationService;

beforeAll(async () => {
  test = await ChainTest.start();
  test.leaveUntold(SENT_FROM);
  proxy = await HostileNode.start(test.anvil.rpcUrl);
  contract = await test.deploy(payout);
  reconciliation = test.chains.app.get(ReconciliationService, { strict: false });
  Object.assign(test.network, { rpcUrl: proxy.url });
});
afterAll(async () => {
  Object.assign(test.network, { rpcUrl: test.anvil.rpcUrl });
  await test?.stop();
  await proxy?.stop();
});

const query = <T>(sql: string, values?: unknown[]): Promise<T> =>
  test.chains.dataSource.query<T>(sql, values);

/** The watcher is told that it has seen what it has not. */
async function pastTheWatcher(): Promise<void> {
  const { number: height, hash } = await test.anvil.testClient.getBlock();
  await query('UPDATE chain_cursor SET height = $1, hash = $2', [height, hash]);
  await query('UPDATE cursor_asset SET covered_height = $1', [height]);
  await query('INSERT INTO chain_block (network, height, hash) VALUES ($1, $2, $3)', [
    test.network.id,
    height,
    hash,
  ]);
}

async function bury(): Promise<void> {
  await test.mine(8);
  await test.catchUp();
}

async function compare(): Promise<void> {
  await query(`UPDATE reconciliation SET recent_at = NULL, position = NULL, round_started_at = NULL`);
  const term = await presentTerm(test.chains.dataSource, test.network.id);
  while (await reconciliation.step(term));
}

const received = async (subject: string) =>
  (await test.transfers(subject)).map(({ amountAtoms }) => amountAtoms);
const found = async () =>
  (await reconciliation.differences(test.network.id)).map(({ kind, asset }) => `${kind} ${asset}`);
/** Each comparison whole: the newest addresses, and a round to its end. */
const compared = async () => {
  const [row] = await query<[{ whole: boolean }]>(
    `SELECT recent_at IS NOT NULL AND position IS NULL AND finished_at >= round_started_at AS whole FROM reconciliation`,
  );
  return row.whole;
};

const check = async () => (await reconciliation.check())[0]!;

/** Of blocks up to now, in words that might mean anything. */
async function forgetOldStates(message: string): Promise<void> {
  const kept = new Set<string>();
  const { testClient } = test.anvil;
  const latest = await testClient.getBlockNumber();
  for (let height = latest - 6n; height <= latest; height += 1n)
    kept.add((await testClient.getBlock({ blockNumber: height })).hash);
  const fault: Fault = { kind: 'refuse', code: -32002, message };
  proxy.plan([
    {
      methods: ['eth_call', 'eth_getTransactionCount'],
      asking: ({ params }) => {
        const at = params[1] as { blockHash?: string } | string;
        return typeof at === 'object' && !kept.has(at.blockHash ?? '');
      },
      fault,
    },
  ]);
}

async function payByCall(address: Address, ether: string): Promise<void> {
  await test.anvil.testClient.writeContract({
    account: BUYER,
    address: contract,
    abi: payout.abi,
    functionName: 'pay',
    gas: 1_000_000n,
    args: [[address], [parseEther(ether)]],
    value: parseEther(ether),
  });
}

/** Whatever an address holds goes on, to the last atom. */
async function sweep(address: Address): Promise<void> {
  const { testClient } = test.anvil;
  await testClient.impersonateAccount({ address });
  const gasPrice = 4n * (await testClient.getGasPrice());
  const value = (await testClient.getBalance({ address })) - 21_000n * gasPrice;
  await testClient.sendTransaction({
    account: address,
    to: anvilAccount(6).address,
    value,
    gas: 21_000n,
    gasPrice,
  });
}

it('goes on where the node refuses one history in words of its own, and takes it for not told in the end', async () => {
  const [coinAt, tokenAt, sweptAt] = [
    await test.issue('pi_coin'),
    await test.issue('pi_token'),
    await test.issue('pi_swept'),
  ];
  await bury();
  await payByCall(coinAt, '1');
  await test.sendToken(tokenAt, 7n);
  await payByCall(sweptAt, '2');
  await test.mine();
  await sweep(sweptAt);
  await test.mine();
  await pastTheWatcher();
  // Older than what the watcher compares, and than what is compared in between.
  await query(`UPDATE address SET created_at = created_at - interval '60 hours' WHERE subject <> 'pi_token'`);
  await bury();
  await forgetOldStates('your plan does not include this data');
  for (const times of ['first', 'second']) {
    await compare();
    expect([times, await received('pi_token'), await received('pi_coin')]).toEqual([times, [7n], []]);
    expect(await compared()).toBe(true);
    expect(await found()).toContain('unexplained ETH');
  }
  await compare();
  expect(await received('pi_coin')).toEqual([parseEther('1')]);
  await compare();
  expect(await received('pi_coin')).toEqual([parseEther('1')]);
  expect(await found()).toContain('swept ETH');
  expect(await received('pi_swept')).toEqual([]);
  proxy.honest();
  await compare();
  expect(await received('pi_swept')).toEqual([parseEther('2')]);
});

it('reads the receipts of a block whose logs are refused one after the other, each in its turn', async () => {
  const to = await test.issue('pi_receipts');
  const payments = 6;
  for (let n = 0; n < payments; n += 1) await test.sendToken(to, 7n);
  await test.mine();
  const { number, hash } = await test.anvil.testClient.getBlock();
  const height = Number(number);
  const methods = [
    'eth_getLogs',
    'eth_getBlockByNumber',
    'eth_getBlockReceipts',
    'eth_getTransactionReceipt',
  ];
  const asked = () => methods.map((method) => proxy.timesAsked(method));
  const before = asked();
  const fault = REFUSALS.params;
  proxy.plan([
    { ...refusedLogs(height, hash), fault },
    { methods: ['eth_getBlockReceipts'], fault },
  ]);
  const pace = new Pace(50);
  const beganMs = performance.now();
  const { logs } = await new EvmHistory(proxy.url, pace).logs.transfersTo(
    [test.anvil.tokens.USDC.address.toLowerCase()],
    [to.toLowerCase()],
    height,
    height,
  );
  expect(logs.map(({ atoms }) => atoms)).toEqual(Array.from({ length: payments }, () => 7n));
  expect(asked().map((times, i) => times - before[i]!)).toEqual([1, 1, 1, payments]);
  expect(pace.requests).toBe(3 + payments);
  expect(performance.now() - beganMs).toBeGreaterThan((1_000 / 50) * (2 + payments) - 5);
});

/** Token payments that the watcher has not seen, each in a block of its own. */
async function paidUnseen(subject: string, payments: number): Promise<{ height: number; hash: string }[]> {
  const to = await test.issue(subject);
  await bury();
  const blocks: { height: number; hash: string }[] = [];
  for (let n = 0; n < payments; n += 1) {
    await test.sendToken(to, 7n);
    await test.mine();
    const { number, hash } = await test.anvil.testClient.getBlock();
    blocks.push({ height: Number(number), hash });
  }
  await pastTheWatcher();
  await bury();
  return blocks;
}

/** So many turns of the job; whether each went well. */
async function turns(most: number): Promise<boolean[]> {
  await query(`UPDATE reconciliation SET recent_at = NULL, position = NULL, round_started_at = NULL`);
  const ends: boolean[] = [];
  const term = await presentTerm(test.chains.dataSource, test.network.id);
  for (let more = true; more && ends.length < most;) {
    const end = await reconciliation.step(term).then(
      (moreIsDue) => ({ moreIsDue, isWell: true }),
      () => ({ moreIsDue: true, isWell: false }),
    );
    more = end.moreIsDue;
    ends.push(end.isWell);
  }
  return ends;
}

it('records what was paid in more blocks in a row than receipts are read of at once, all of whose logs are refused', async () => {
  const blocks = await paidUnseen('pi_row', 12);
  proxy.plan(blocks.map(({ height, hash }) => refusedLogs(height, hash)));
  await turns(10);
  proxy.honest();
  expect(await compared()).toBe(true);
  expect(await received('pi_row')).toEqual(blocks.map(() => 7n));
});

const LIMIT = { fault: REFUSALS.limit };

it.each<[string, (block: { height: number; hash: string }) => Rule[]]>([
  [
    'receipts',
    ({ hash }) => [
      { methods: ['eth_getBlockReceipts'], holding: hash, ...LIMIT },
      { methods: ['eth_getTransactionReceipt'], ...LIMIT },
    ],
  ],
  [
    'transactions',
    ({ height }) => [
      {
        methods: ['eth_getBlockByNumber'],
        asking: ({ params }) => params[0] === numberToHex(height) && params[1] === true,
        ...LIMIT,
      },
    ],
  ],
])(
  'ends a round past a block whose logs and %s are refused, records what came after it, and says what was not told',
  async (what, refused) => {
    const subject = `pi_no_${what}`;
    const blocks = await paidUnseen(subject, 2);
    const { height, hash } = blocks[0]!;
    // A round alone: its newest addresses are those of two days ago.
    await query(`UPDATE address SET created_at = created_at - interval '60 hours'`);
    proxy.plan([refusedLogs(height, hash), ...refused({ height, hash })]);
    const ends = await turns(12);
    // The first look ends before it, and keeps what was told.
    expect(ends.filter((isWell) => !isWell).length).toBe(3);
    expect(await compared()).toBe(true);
    const [standing] = await reconciliation.standings();
    expect(standing!.lastIncomparable).toBeGreaterThan(0);
    expect(await check()).toMatchObject({
      verdict: 'unasked',
      reason: expect.stringContaining(`the logs of block ${height}`) as string,
    });
    proxy.honest();
    await compare();
    expect(await received(subject)).toEqual([7n, 7n]);
  },
);

it('goes on with a round while the newest addresses cannot be compared, and with what a node tells while it refuses balances', async () => {
  await paidUnseen('pi_balances', 1);
  proxy.plan([{ methods: ['eth_call'], fault: REFUSALS.internal }]);
  const ends = await turns(20);
  proxy.honest();
  expect(ends).toContain(false);
  expect(await compared()).toBe(true);
  expect(await received('pi_balances')).toEqual([7n]);
});
