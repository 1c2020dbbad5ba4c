import fc from 'fast-check';
import { runsOf, seedOf } from '../support/run/seed.js';
import { Stage } from './stage.js';

const SEED = seedOf('MODEL_SEED', 'MODEL_RUNS');
/** Far more than a loaded machine takes for one life. */
const RUN_LIMIT_MS = 5_000;

/**
 * A test over random lives. A short run in every CI; `npm run prove:money` does 5,000. A failure prints its seed, which
 * `MODEL_SEED` replays, and the shortest life that still fails.
 * @param fewest how many lives, unless `MODEL_RUNS` says otherwise
 * @param run throws where the service and the model disagree
 */
export function everyLife<Life>(
  title: string,
  fewest: number,
  lives: fc.Arbitrary<Life>,
  run: (stage: Stage, life: Life) => Promise<void>,
): void {
  const numRuns = runsOf('MODEL_RUNS', fewest);
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage.close());

  it(
    title,
    async () => {
      const property = fc.asyncProperty(lives, (life) => run(stage, life));
      await fc.assert(property, { numRuns, seed: SEED, verbose: 1 });
    },
    60_000 + numRuns * RUN_LIMIT_MS,
  );
}
