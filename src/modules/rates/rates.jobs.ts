import type { Jobs } from '../../platform/jobs.js';
import type { Readiness } from '../../platform/health/readiness.js';
import type { PublicRates } from './public-rates.js';

/** The shortest wait after a failure; whether a source is due, each decides for itself. */
const TURN_EVERY_MS = 5_000;

/** Gives the rates their clockwork, and tells the operator which pairs have no rate: that closes options, not us. */
export function runRates(rates: PublicRates, jobs: Jobs, readiness: Readiness): void {
  jobs.define({ name: 'rates', everyMs: TURN_EVERY_MS, run: (signal) => rates.turn(signal) });
  readiness.register({
    name: 'rates',
    required: false,
    check: () => {
      const missing = rates.health().filter(({ price }) => price === null);
      const withoutRate = missing.map(({ asset, currency }) => `${asset}/${currency}`);
      const failingSources = rates.failing();
      return Promise.resolve({ ok: withoutRate.length === 0, detail: { withoutRate, failingSources } });
    },
  });
}
