import { ANYBODYS } from '../../../src/database/by.js';
import { RefundFollower } from '../../../src/modules/intents/review/refund-follower.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { EVM_CALLS, evmMatrix } from '../../chain/hostile/evm-matrix.js';
import { sample } from '../../chain/hostile/hostile-matrix.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { SEED } from '../../chain/hostile/hostile-runs.js';
import { RefundWorld, WALLET } from '../../support/intents/refund-world.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { seededRandom } from '../../support/random.js';

/** What is asked of a node about refunds, each with every fault: with `HOSTILE_MATRIX=all`, else some of each. */
const CALLS = [
  'the header of a block',
  'a block with its transactions',
  'logs',
  'the receipt of a transaction',
  'everything',
] as const;
const FAULTS_OF_EACH = 2;
const LOOKS = 2;
const DEPTH = 2;
const HOME = anvilAccount(8).address;
const STRANGER = anvilAccount(7).address;

const random = seededRandom(SEED);
const cells = CALLS.flatMap((call) => {
  const faults = Object.entries(evmMatrix()[call]!);
  const chosen = process.env['HOSTILE_MATRIX'] === 'all' ? faults : sample(faults, FAULTS_OF_EACH, random);
  return chosen.map(([fault, what]) => ({
    call,
    fault,
    rules: EVM_CALLS[call]!.map((when) => ({ ...when, fault: what })),
  }));
});

let anvil: TestAnvil;
let node: HostileNode;
let world: RefundWorld;
let intentId: string;
let asked = 0;

beforeAll(async () => {
  process.stderr.write(`HOSTILE_SEED=${SEED}\n`);
  anvil = await startTestAnvil();
  node = await HostileNode.start(anvil.rpcUrl);
  world = await RefundWorld.start(anvil, DEPTH, { rpcUrl: node.url });
  intentId = await world.late([5_000_000n]);
});
afterEach(() => node.honest());
afterAll(async () => {
  await world?.stop();
  await node?.stop();
  await anvil?.stop();
});

it.each(cells)(
  '$fault, of $call: a refund is found by what paid it and by nothing else, and is final once it is deep',
  async ({ rules }) => {
    asked += 1;
    const refund = await world.ask(intentId, `0.01${String(asked).padStart(4, '0')}`, HOME);
    const looked = async () => {
      for (let look = 0; look < LOOKS; look += 1)
        await world.service.app
          .get(RefundFollower)
          .follow('ethereum', 50)
          .catch(() => false);
      return world.refunds.get(ANYBODYS, refund.id);
    };
    node.plan(rules);
    await world.sendToken(STRANGER, HOME, refund.atoms);
    const txid = await world.sendToken(WALLET, HOME, refund.atoms);
    const shallow = await looked();
    expect(['asked', 'seen']).toContain(shallow.state);
    expect([null, txid]).toContain(shallow.txid);
    await world.mine(DEPTH);
    expect([null, txid]).toContain((await looked()).txid);
    node.honest();
    expect(await world.until(refund.id, 'final')).toMatchObject({ txid, searchEndedAt: null });
  },
);
