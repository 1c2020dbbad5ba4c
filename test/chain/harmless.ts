import { HostileNode } from './hostile-node.js';
import { REFUSALS, TRANSPORT } from './hostile-faults.js';
import type { Fault } from './hostile-plan.js';
import type { SteppedWatcher } from './term.js';

/** So often that hardly any look at several blocks passes without one, and few fail twice. */
const CHANCE = 0.02;
/** A watcher of the service is not counted: it comes back as often as it must. */
const TRIES = 50;
/** For what never answers: as short as a loaded machine allows. */
export const SHORT_TIMEOUT_MS = 1_000;

const FAULTS: readonly Fault[] = [
  ...[REFUSALS.limit, REFUSALS.internal],
  ...[TRANSPORT.tooMany, TRANSPORT.tooManyEmpty, TRANSPORT.badGateway, TRANSPORT.cut],
  ...[TRANSPORT.truncated, TRANSPORT.slow, TRANSPORT.drip],
  { kind: 'hang', ms: Infinity },
];

/**
 * With `HOSTILE_SUITES=<seed>` a suite's watchers see its chain through a node that fails single calls: everything must
 * come out the same in the end. For suites that neither count calls nor expect traces, such as chains-deposits.
 */
export async function harmlessNode(rpcUrl: string): Promise<HostileNode | null> {
  const seed = process.env['HOSTILE_SUITES'];
  if (seed === undefined) return null;
  process.stderr.write(`HOSTILE_SUITES=${seed}\n`);
  const node = await HostileNode.start(rpcUrl);
  const rules = FAULTS.map((fault) => ({ fault, chance: CHANCE }));
  node.plan(rules, Number(seed));
  return node;
}

/** Steps as the service's loop does: one that fails is made again. */
export function persistent(watcher: SteppedWatcher): SteppedWatcher {
  return {
    counts: watcher.counts,
    step: async () => {
      let failure: unknown;
      for (let tries = 0; tries < TRIES; tries += 1) {
        try {
          return await watcher.step();
        } catch (error) {
          failure = error;
        }
      }
      throw failure;
    },
  };
}
