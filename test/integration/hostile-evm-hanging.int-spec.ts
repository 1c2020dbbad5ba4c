import { parseEther } from 'viem';
import { BUYER, ChainTest } from '../chain/chains-fixture.js';
import { compileContracts } from '../chain/contracts.js';
import { REFUSALS } from '../chain/hostile-faults.js';
import { HostileNode } from '../chain/hostile-node.js';
import type { Rule } from '../chain/hostile-plan.js';

/** Each of them may take as long as a call that a node need not offer; none of them as long as the fault lasts. */
const MOST_LOOKS = 3;
const { payout } = compileContracts();

let test: ChainTest;
let node: HostileNode;

beforeAll(async () => {
  test = await ChainTest.start();
  node = await HostileNode.start(test.anvil.rpcUrl);
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
    const contract = await test.deploy(payout);
    const [inside, other] = [await test.issue(`inside ${name}`), await test.issue(`other ${name}`)];
    const watcher = test.watcher(node.url);
    await test.catchUp(watcher);
    node.plan(rules);
    await test.anvil.testClient.writeContract({
      account: BUYER,
      address: contract,
      abi: payout.abi,
      functionName: 'pay',
      args: [[inside], [parseEther('0.1')]],
      value: parseEther('0.1'),
    });
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
