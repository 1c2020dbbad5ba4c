import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.types.js';
import { Readiness } from '../../platform/health/readiness.js';
import { Jobs } from '../../platform/jobs.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { FixedRates } from './fixed-rates.js';
import { PublicRates } from './public-rates.js';
import { runRates } from './rates.jobs.js';
import { exposeRates } from './rates.metrics.js';
import { RateBook } from './rates.types.js';

function rateBook(config: Config, jobs: Jobs, metrics: Metrics, readiness: Readiness): RateBook {
  if (config.mode === 'sandbox') return new FixedRates();
  const rates = new PublicRates(config.rates, config.networks);
  runRates(rates, jobs, readiness);
  exposeRates(rates, metrics.registry);
  return rates;
}

@Module({
  providers: [{ provide: RateBook, inject: [CONFIG, Jobs, Metrics, Readiness], useFactory: rateBook }],
  exports: [RateBook],
})
export class RatesModule {}
