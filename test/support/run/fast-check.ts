import fc from 'fast-check';
import { seedOf } from './seed.js';

/** Properties without a seed of their own have the same one in every run; `SEED` and `LONG=1` give others. */
fc.configureGlobal({ seed: seedOf('SEED', 'LONG') });

export default fc;
