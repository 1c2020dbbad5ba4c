import { NoCommonAncestor, WrongChain, WrongToken } from '../../../src/modules/chains/node.errors.js';
import type { SteppedWatcher } from '../term.js';
import { REFUSALS, TRANSPORT } from './hostile-faults.js';
import { HostileNode } from './hostile-node.js';
import type { Fault, Rule } from './hostile-plan.js';

/** Each costs the time limit: fewer of them than of the others. */
const HANGS_IN = 5;
/** Chance of one call, which may be one of many in its request. */
const REFUSED = 0.005;
/** A watcher of the service is not counted: it comes back as often as it must. */
const TRIES = 50;
/** For what never answers: as short as a loaded machine allows. */
export const SHORT_TIMEOUT_MS = 1_000;

/**
 * By these a watcher knows that what is missing was replaced. It asks once for each block, and does without an answer
 * until the next one, for which no suite waits; hostile-evm-matrix does.
 */
const ONCE_A_BLOCK = ['eth_getTransactionCount', 'eth_getTransactionReceipt'];
const asking: Rule['asking'] = ({ method }) => !ONCE_A_BLOCK.includes(method);

/** Without the header that says when to come again, which a watcher heeds: no suite has the time. */
const tooManyAtOnce: Fault = { kind: 'http', status: 429, body: '' };

const OF_REQUESTS: readonly Fault[] = [
  TRANSPORT.tooMany,
  tooManyAtOnce,
  TRANSPORT.badGateway,
  TRANSPORT.cut,
  TRANSPORT.truncated,
  TRANSPORT.slow,
  TRANSPORT.drip,
];

/**
 * All calls of a request share one draw, and the first rule above it strikes: so each begins where the last ended.
 * @param chance of a request and each fault
 */
function rules(chance: number): Rule[] {
  let upTo = 0;
  const upToNext = (share: number) => ({ chance: (upTo += share), together: true, asking });
  const whole: Rule[] = OF_REQUESTS.map((fault) => ({ fault, ...upToNext(chance) }));
  whole.push({ fault: { kind: 'hang', ms: Infinity }, ...upToNext(chance / HANGS_IN) });
  const single = [REFUSALS.limit, REFUSALS.internal].map((fault) => ({ fault, chance: REFUSED, asking }));
  return [...whole, ...single];
}

/**
 * With `HOSTILE_SUITES=<seed>` a suite's watchers see its chain through a node that fails single calls: everything must
 * come out the same in the end. Which suites that makes sense for is told in hostile-suites.int-spec.ts.
 * @param chance of a request and each of the faults: so often that most looks meet one, and few fail many times
 */
export async function harmlessNode(rpcUrl: string, chance: number): Promise<HostileNode | null> {
  const seed = process.env['HOSTILE_SUITES'];
  if (seed === undefined) return null;
  const node = await HostileNode.start(rpcUrl);
  node.plan(rules(chance), Number(seed));
  return node;
}

/** How often calls of a suite were failed, told to whoever runs it: modules of its own share nothing but the process. */
const STRUCK = 'HOSTILE_STRUCK';
export const struck = () => Number(process.env[STRUCK] ?? 0);

export async function endHarmless(node: HostileNode | null): Promise<void> {
  if (!node) return;
  process.env[STRUCK] = String(struck() + node.strikes);
  await node.stop();
}

/**
 * Steps as the service's loop does: one that fails is made again. What a watcher puts off for half a minute when a call
 * fails (an asset that it has to catch up) is asked of a node that fails no more, once nothing is new.
 */
export function persistent(failing: SteppedWatcher, healthy: SteppedWatcher): SteppedWatcher {
  return {
    counts: failing.counts,
    step: async () => {
      const end = await untilItSucceeds(failing);
      return end === 'more' ? end : healthy.step();
    },
  };
}

/** What only a person can change is no single call that failed. */
const NEEDS_A_PERSON = [NoCommonAncestor, WrongChain, WrongToken];

async function untilItSucceeds(watcher: SteppedWatcher) {
  let failure: unknown;
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await watcher.step();
    } catch (error) {
      if (NEEDS_A_PERSON.some((kind) => error instanceof kind)) throw error;
      failure = error;
    }
  }
  throw failure;
}
