import { type Address, parseEther } from 'viem';
import { ChainTest } from '../../chain/chains-fixture.js';
import { REFUSALS } from '../../chain/hostile-faults.js';
import { HostileNode } from '../../chain/hostile-node.js';
import type { Rule } from '../../chain/hostile-plan.js';
import { deployPayer, type Payer } from '../../chain/payer.js';

/** Each of them may take as long as a call that a node need not offer; none of them as long as the fault lasts. */
const MOST_LOOKS = 3;
/** Within a call's own deadline. */
const SLOW_MS = 2_500;

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

const hanging = (method: string): Rule => ({ methods: [method], fault: { kind: 'hang', ms: Infinity } });
const refused = (method: string): Rule => ({ methods: [method], fault: REFUSALS.noMethod });

it.each<[string, readonly Rule[]]>([
  ['the traces of a block', [hanging('debug_traceBlockByHash'), refused('trace_block')]],
  ['either kind of traces', [hanging('debug_traceBlockByHash'), hanging('trace_block')]],
])(
  'other payments go on while a node never answers %s',
  async (name, rules) => {
    const [inside, other] = [await test.issue(`inside ${name}`), await test.issue(`other ${name}`)];
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
  120_000,
);

it('traces that are slow, each by less than they may, hold up no other payment, and cost no payer its name', async () => {
  const subjects = Array.from({ length: 8 }, (_, i) => `slow ${i}`);
  const addresses: Address[] = [];
  for (const subject of subjects) addresses.push(await test.issue(subject));
  const other = await test.issue('other than slow');
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
  const beganMs = performance.now();
  await watcher.step();
  const tookMs = performance.now() - beganMs;
  expect(await test.transfers('other than slow')).toMatchObject([{ amountAtoms: 5n, state: 'included' }]);
  expect(tookMs).toBeLessThan(4 * SLOW_MS);
  expect((await test.chains.service.health())[0]!.closedAssets).toEqual({ ETH: 'balances-unknown' });
  for (let i = 0; i < subjects.length; i += 1) await watcher.step();
  expect(await names()).toEqual(subjects.map((_, i) => [['call', parseEther('0.1') + BigInt(i)]]));
  expect((await test.chains.service.health())[0]!.closedAssets).toEqual({});
}, 120_000);
