import type { Readiness } from '../../platform/health/readiness.js';
import type { PublicRates } from './public-rates.js';

/** Tells the operator which pairs have no rate: that closes options, not us. */
export function reportRates(rates: PublicRates, readiness: Readiness): void {
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
