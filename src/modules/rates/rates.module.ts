import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.types.js';
import { Readiness } from '../../platform/health/readiness.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { FixedRates } from './fixed-rates.js';
import { PublicRates } from './public-rates.js';
import { exposeRates } from './rates.metrics.js';
import { reportRates } from './rates.readiness.js';
import { RateBook } from './rates.service.js';

function rateBook(config: Config, metrics: Metrics, readiness: Readiness): RateBook {
  if (config.mode === 'sandbox') return new FixedRates();
  const rates = new PublicRates(config.rates, config.networks);
  reportRates(rates, readiness);
  exposeRates(rates, metrics.registry);
  return rates;
}

@Module({
  providers: [{ provide: RateBook, inject: [CONFIG, Metrics, Readiness], useFactory: rateBook }],
  exports: [RateBook],
})
export class RatesModule {}
