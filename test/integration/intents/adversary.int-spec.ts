import fc from 'fast-check';
import { lives } from '../../model/commands.js';
import { LifeRun } from '../../model/life.js';
import { Stage } from '../../model/stage.js';
import { seedOf } from '../../support/run/seed.js';

/**
 * Lives of an intent among adversaries, step by step beside the reference model of `test/model/reference.ts`. A short
 * run in every CI; `npm run prove:money` does 5,000. A failure prints its seed, which `MODEL_SEED` replays, and the
 * shortest life that still fails: it belongs into `test/model/cases.ts`.
 */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 200);
const SEED = seedOf('MODEL_SEED', 'MODEL_RUNS');
/** Far more than a loaded machine takes for one life. */
const RUN_LIMIT_MS = 5_000;

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

it(
  'never disagrees with the reference model',
  async () => {
    const life = fc.asyncProperty(lives, (tried) => LifeRun.of(stage, tried));
    await fc.assert(life, { numRuns: RUNS, seed: SEED, verbose: 1 });
  },
  60_000 + RUNS * RUN_LIMIT_MS,
);
