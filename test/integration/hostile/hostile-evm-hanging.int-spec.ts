import { type Address, parseEther } from 'viem';
import { CheckedNode } from '../../../src/modules/chains/evm/node/checked-node.js';
import { RpcNode } from '../../../src/modules/chains/evm/node/rpc-node.js';
import { ChainTest } from '../../chain/chains-fixture.js';
import { lie, REFUSALS } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import type { Rule } from '../../chain/hostile/hostile-plan.js';
import { deployPayer, type Payer } from '../../chain/payer.js';
import type { SteppedWatcher } from '../../chain/term.js';
import { ownMsOf } from '../../support/run/own-time.js';
import { eventually } from '../../support/servers/receiver.js';

/** Each of them may take as long as a call that a node need not offer; none of them as long as the fault lasts. */
const MOST_LOOKS = 3;
/** Within a call's own deadline. */
const SLOW_MS = 2_500;
/** After which a call that need not answer is given up. */
const REST_AFTER_MS = 3_000;
/** After which one that must answer is: two tries of it are longer than a call that need not answer may take. */
const DEADLINE_MS = 2_000;
const NO_ANSWER = 'the second node does not answer';
const LATE = `did not answer within ${DEADLINE_MS / 1_000} s`;

let test: ChainTest;
let node: HostileNode;
let pay: Payer;

beforeAll(async () => {
  test = await ChainTest.start();
  node = await HostileNode.start(test.anvil.rpcUrl);
  pay = await deployPayer(test);
});
afterAll(async () => {
  await node?.stop();
  await test?.stop();
});

afterEach(() => node.honest());

const hanging = (method: string): Rule => ({ methods: [method], fault: { kind: 'hang', ms: Infinity } });
const impatient = () => new RpcNode(node.url, { timeoutMs: DEADLINE_MS });
const refused = (method: string): Rule => ({ methods: [method], fault: REFUSALS.noMethod });
/** As the service's loop does: on a busy machine an honest answer, too, may be later than who is impatient waits. */
const persevere = (watcher: SteppedWatcher) =>
  eventually(
    () =>
      test.catchUp(watcher).then(
        () => true,
        () => false,
      ),
    Boolean,
  );
/** @returns what the first look says in which the second node is not late, as an honest one may be too */
const untilAnswered = (watcher: SteppedWatcher) =>
  eventually(
    () =>
      watcher.step().then(
        () => 'nothing',
        ({ message }: Error) => message,
      ),
    (said) => !said.includes(NO_ANSWER),
  );

it.each<[string, readonly Rule[]]>([
  ['the traces of a block', [hanging('debug_traceBlockByHash'), refused('trace_block')]],
  ['either kind of traces', [hanging('debug_traceBlockByHash'), hanging('trace_block')]],
])(
  'other payments go on while a node never answers %s',
  async (name, rules) => {
    const [inside, other] = [await test.issue(`inside ${name}`), await test.issue(`other ${name}`)];
    await test.mine();
    const watcher = test.watcher(node.url);
    await test.catchUp(watcher);
    node.plan(rules);
    await pay(inside, parseEther('0.1'));
    await test.sendToken(other, 5n);
    await test.mine();
    for (let i = 0; i < MOST_LOOKS; i += 1) await watcher.step().catch(() => undefined);
    const seen = await test.transfers(`other ${name}`);
    node.honest();
    await test.catchUp(watcher);
    expect(seen).toMatchObject([{ amountAtoms: 5n, state: 'included' }]);
    expect(await test.transfers(`inside ${name}`)).toMatchObject([{ amountAtoms: parseEther('0.1') }]);
  },
  300_000,
);

describe('a node that tells receipts in one way alone', () => {
  const ofOne = 'eth_getTransactionReceipt';
  const ofBlock = 'eth_getBlockReceipts';

  const paid = async (name: string) => {
    const [coin, token] = [await test.issue(`coin ${name}`), await test.issue(`token ${name}`)];
    // A newest block is asked about for a second more.
    await test.mine();
    return async () => {
      await test.send(coin, '0.1');
      await test.sendToken(token, 5n);
      await test.mine();
    };
  };
  const seen = async (name: string) =>
    [...(await test.transfers(`coin ${name}`)), ...(await test.transfers(`token ${name}`))].map(
      ({ amountAtoms, output }) => [amountAtoms, output],
    );
  const BOTH = [
    [parseEther('0.1'), 'native'],
    [5n, 'log:0'],
  ];

  it.each<[string, readonly Rule[]]>([
    ['hangs on those of single transactions', [hanging(ofOne)]],
    ['refuses those of single transactions', [refused(ofOne)]],
    ['is over its limit for those of single transactions', [{ methods: [ofOne], fault: REFUSALS.limit }]],
    ['has none of single transactions', [{ methods: [ofOne], fault: lie('no receipt', () => null) }]],
    ['hangs on those of a block', [hanging(ofBlock)]],
    [
      'hangs on single ones, refuses logs',
      [hanging(ofOne), { methods: ['eth_getLogs'], fault: REFUSALS.limit }],
    ],
  ])(
    'and %s holds up no payment',
    async (name, rules) => {
      const pays = await paid(name);
      const watcher = test.watcher(node.url);
      await test.catchUp(watcher);
      node.plan(rules);
      await pays();
      expect(await ownMsOf(() => watcher.step())).toBeLessThan(2 * REST_AFTER_MS);
      expect(await seen(name)).toEqual(BOTH);
      // What was late is left alone: the next payment does not wait for it.
      const next = await paid(`${name}, again`);
      await test.catchUp(watcher);
      await next();
      expect(await ownMsOf(() => watcher.step())).toBeLessThan(REST_AFTER_MS);
      expect(await seen(`${name}, again`)).toEqual(BOTH);
      node.honest();
      await test.catchUp(watcher);
    },
    300_000,
  );

  it.each<[string, readonly Rule[], reason: string]>([
    ['hangs', [hanging(ofOne), hanging(ofBlock)], LATE],
    ['hangs on the one and refuses the other', [hanging(ofOne), refused(ofBlock)], LATE],
    ['refuses both', [refused(ofOne), refused(ofBlock)], ''],
  ])(
    'or in neither, because it %s, passes no block, and tells everything once it does again',
    async (name, rules, reason) => {
      const pays = await paid(name);
      const watcher = test.watcherOn(impatient());
      await persevere(watcher);
      const before = await test.chains.ledger.cursor('ethereum');
      node.plan(rules);
      await pays();
      await expect(watcher.step()).rejects.toThrow(reason);
      await expect(watcher.step()).rejects.toThrow(reason);
      expect(await test.chains.ledger.cursor('ethereum')).toEqual(before);
      expect(await seen(name)).toEqual([]);
      node.honest();
      await persevere(watcher);
      expect(await seen(name)).toEqual(BOTH);
    },
    300_000,
  );

  it('and is one of two is compared with the other all the same', async () => {
    const pays = await paid('of two');
    const checked = new CheckedNode(new RpcNode(test.anvil.rpcUrl), impatient());
    const watcher = test.watcherOn(checked);
    await persevere(watcher);
    await pays();
    const more = (receipts: unknown) =>
      (receipts as { logs: { data: string }[] }[]).map((one) => ({
        ...one,
        logs: one.logs.map((log) => ({ ...log, data: `0x${'1'.padStart(64, '0')}` })),
      }));
    node.plan([hanging(ofOne), { methods: [ofBlock], fault: lie('receipts of more', more) }]);
    expect(await untilAnswered(watcher)).toContain('do not agree about the receipts');
    expect(checked.verdict).toBe('disagrees');
    node.plan([hanging(ofOne), hanging(ofBlock)]);
    await expect(watcher.step()).rejects.toThrow(NO_ANSWER);
    expect(await seen('of two')).toEqual([]);
    // What was late in both ways is not left alone in both.
    node.plan([hanging(ofOne)]);
    await persevere(watcher);
    expect(await seen('of two')).toEqual(BOTH);
    expect(checked.verdict).toBe('agrees');
  });
});

it('a node that never answers for balances holds up no token, and the coin is closed until it is looked into', async () => {
  const inside = await test.issue('inside, no balances');
  await test.mine();
  const watcher = test.watcher(node.url);
  await test.catchUp(watcher);
  node.plan([hanging('eth_call')]);
  // An address that nobody has looked at yet: what it held before is asked for too.
  const other = await test.issue('other, no balances');
  await pay(inside, parseEther('0.1'));
  await test.sendToken(other, 5n);
  await test.mine();
  const height = Number(await test.anvil.testClient.getBlockNumber());
  expect(await ownMsOf(() => watcher.step())).toBeLessThan(2 * REST_AFTER_MS);
  expect(await test.transfers('other, no balances')).toMatchObject([{ amountAtoms: 5n, state: 'included' }]);
  expect((await test.chains.health.all())[0]!.closedAssets).toEqual({ ETH: 'balances-unknown' });
  await test.sendToken(other, 7n);
  await test.mine();
  expect(await ownMsOf(() => watcher.step())).toBeLessThan(REST_AFTER_MS);
  expect(await test.transfers('other, no balances')).toHaveLength(2);
  expect(await test.transfers('inside, no balances')).toEqual([]);
  node.honest();
  await test.mine();
  await test.catchUp();
  expect(await test.transfers('inside, no balances')).toMatchObject([
    { amountAtoms: parseEther('0.1'), blockHeight: height },
  ]);
  expect((await test.chains.health.all())[0]!.closedAssets).toEqual({});
});

it('traces that are slow, each by less than they may, hold up no other payment, and cost no payer its name', async () => {
  const subjects = Array.from({ length: 8 }, (_, i) => `slow ${i}`);
  const addresses: Address[] = [];
  for (const subject of subjects) addresses.push(await test.issue(subject));
  const other = await test.issue('other than slow');
  await test.mine();
  const watcher = test.watcher(node.url);
  await test.catchUp(watcher);
  const names = async () =>
    Promise.all(
      subjects.map(async (subject) =>
        (await test.transfers(subject)).map(({ output, amountAtoms }) => [output.split(':')[0], amountAtoms]),
      ),
    );
  node.plan([{ methods: ['debug_traceBlockByHash'], fault: { kind: 'hang', ms: SLOW_MS } }]);
  for (const [i, address] of addresses.entries()) {
    await pay(address, parseEther('0.1') + BigInt(i));
    await test.mine();
  }
  await test.sendToken(other, 5n);
  await test.mine();
  const tookMs = await ownMsOf(() => watcher.step());
  expect(await test.transfers('other than slow')).toMatchObject([{ amountAtoms: 5n, state: 'included' }]);
  expect(tookMs).toBeLessThan(4 * SLOW_MS);
  expect((await test.chains.health.all())[0]!.closedAssets).toEqual({ ETH: 'balances-unknown' });
  for (let i = 0; i < subjects.length; i += 1) await watcher.step();
  expect(await names()).toEqual(subjects.map((_, i) => [['call', parseEther('0.1') + BigInt(i)]]));
  expect((await test.chains.health.all())[0]!.closedAssets).toEqual({});
});
