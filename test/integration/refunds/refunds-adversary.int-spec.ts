import fc from 'fast-check';
import { refundCommands, RefundRun } from '../../model/refund-run.js';
import { Stage } from '../../model/stage.js';
import { seedOf } from '../../support/run/seed.js';

/**
 * Refunds among forks, second payments and people who name, withdraw and forget. A short run in every CI; `npm run
 * prove:money` does 5,000. A failure prints its seed, which `MODEL_SEED` replays, and the shortest life that still fails.
 */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 100);
const SEED = seedOf('MODEL_SEED', 'MODEL_RUNS');
const RUN_LIMIT_MS = 5_000;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

it(
  'are known to be paid where the chain pays them in the end, and nowhere else',
  async () => {
    const life = fc.asyncProperty(refundCommands, (commands) => RefundRun.of(stage, commands));
    await fc.assert(life, { numRuns: RUNS, seed: SEED, verbose: 1 });
  },
  60_000 + RUNS * RUN_LIMIT_MS,
);
