import { jobsOf } from '../../platform/jobs/scheduled-job.js';
import { ChainsJobs } from './chains.jobs.js';
import { LONGEST_PAUSE_MS } from './data/fenced.statement.js';
import { ANSWER_TIMEOUT_MS, LEASE_MS } from './data/watch-lease.repository.js';

// The seconds of ADR 30, of which each part is a number of the source. Suites with real processes hold what the parts do:
// measured there, they would say how busy the machine is.
const FOLLOWED_WITHIN_MS = 10_000;
/** "Renewed every second". */
const RENEWED_EVERY_MS = 1_000;

const [look, ...others] = jobsOf(Object.create(ChainsJobs.prototype) as object).filter(
  ({ name }) => name === 'watch-lease',
);

it('looks at the leases every second', () => {
  expect(others).toEqual([]);
  expect(look?.everyMs).toBe(RENEWED_EVERY_MS);
});

it('keeps a network while five renewals in a row fail', () => {
  expect(LEASE_MS).toBeGreaterThanOrEqual(5 * RENEWED_EVERY_MS);
});

it('has a leader followed within ten seconds, even where one look of the follower has no answer', () => {
  // Renewed just before it stalls, run out just after a look, and that next look is given up and taken again.
  const takenAfterMs = LEASE_MS + RENEWED_EVERY_MS + ANSWER_TIMEOUT_MS + RENEWED_EVERY_MS;
  expect(takenAfterMs).toBeLessThan(FOLLOWED_WITHIN_MS);
});

it('has a write that stopped halfway ended before the lease of its writer can be taken', () => {
  expect(LONGEST_PAUSE_MS).toBeLessThan(LEASE_MS);
});
