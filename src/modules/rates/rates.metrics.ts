import { Gauge, type Registry } from 'prom-client';
import type { RateBook } from './rates.service.js';

const labelNames = ['asset', 'currency'] as const;

/** Computed when somebody looks, so that an age goes on growing while nothing arrives. */
export function exposeRates(rates: RateBook, registry: Registry): void {
  const registers = [registry];
  const age = new Gauge({
    name: 'rappen_rate_age_seconds',
    help: 'Age of the oldest price in the rate; absent while there is no rate',
    labelNames,
    registers,
    collect: () => {
      age.reset();
      for (const { asset, currency, ageS } of rates.health()) {
        if (ageS !== null) age.set({ asset, currency }, ageS);
      }
    },
  });
  const sources = new Gauge({
    name: 'rappen_rate_sources',
    help: 'Sources that the rate rests on; 0 while there is no rate',
    labelNames,
    registers,
    collect: () => {
      sources.reset();
      for (const { asset, currency, used } of rates.health()) sources.set({ asset, currency }, used.length);
    },
  });
}
