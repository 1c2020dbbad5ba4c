import fc from 'fast-check';
import { runsOf, seedOf } from './seed.js';

/**
 * Properties without a seed and a number of their own have the same ones in every run; `SEED` gives another seed, and
 * `LONG` so many runs, which `npm run prove:properties` takes.
 */
fc.configureGlobal({ seed: seedOf('SEED', 'LONG'), numRuns: runsOf('LONG', 100) });

export default fc;
