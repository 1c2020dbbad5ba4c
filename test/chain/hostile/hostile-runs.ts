import { runsOf, seedOf } from '../../support/run/seed.js';
import type { Service } from '../../support/service/service.js';
import { HostileLife, type HostileWorld } from './hostile-life.js';

/** `HOSTILE_SEED` and `HOSTILE_RUNS` repeat what a failure has printed. */
export const SEED = seedOf('HOSTILE_SEED', 'HOSTILE_RUNS');

/** Of so many lives some cannot see for two looks. */
const MANY = 16;

/**
 * Lives with the seeds from `HOSTILE_SEED` on, but for the `first` of them, shared out among networks that have them one after the other.
 * @returns what was wrong, with the seed and the plan of each
 */
export async function hostileRuns(
  service: Service,
  merchantId: string,
  worlds: readonly HostileWorld[],
  runs = runsOf('HOSTILE_RUNS', 4),
  first = 0,
): Promise<string[]> {
  const problems: string[] = [];
  const rejected = (reason: unknown) => problems.push(`unhandled rejection: ${String(reason)}`);
  process.on('unhandledRejection', rejected);
  process.stderr.write(`HOSTILE_SEED=${SEED + first} HOSTILE_RUNS=${runs}\n`);
  let next = 0;
  let judged = 0;
  await Promise.all(
    worlds.map(async (world) => {
      while (next < runs) {
        const life = new HostileLife(service, merchantId, world, SEED + first + next++);
        await life.live().catch((error: unknown) => life.problems.push(String(error)));
        judged += life.judged;
        if (life.problems.length === 0) continue;
        problems.push(`${life.description}\n  ${life.problems.join('\n  ')}`);
        process.stderr.write(`${problems.at(-1)}\n`);
      }
    }),
  );
  process.off('unhandledRejection', rejected);
  if (runs >= MANY && judged === 0)
    problems.push('no life was blind for long enough to judge whether that is said');
  return problems;
}
