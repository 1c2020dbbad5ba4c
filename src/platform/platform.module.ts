import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.types.js';
import { HealthController } from './health/health.controller.js';
import { Readiness } from './health/readiness.js';
import { Forgeries } from './http/forgeries.js';
import { Listeners } from './http/listeners.js';
import { JobsModule } from './jobs/jobs.module.js';
import { OutgoingMailsRepository } from './mail/data/outgoing-mails.repository.js';
import { MailOutbox, SEALED_MAILS } from './mail/mail-outbox.js';
import { Mailer } from './mail/mailer.js';
import { HttpMetrics } from './observability/http.metrics.js';
import { MetricsController } from './observability/metrics.controller.js';
import { Metrics } from './observability/metrics.js';
import { MetricsAccess } from './observability/metrics-access.js';
import { ProcessMetrics } from './observability/process.metrics.js';
import { PLATFORM_SECURITY_EVENTS, SecurityLog } from './observability/security-log.js';
import { AssetsController } from './pages/assets.controller.js';
import { Assets } from './pages/assets.js';
import { Views } from './pages/views.js';
import { ErrorPages } from './problems/error-pages.js';
import { ProblemFilter } from './problems/problem.filter.js';
import { Problems } from './problems/problem.js';
import { RouteTable } from './problems/route-table.js';
import type { Product } from './product.js';
import { RateWindows } from './rate-limit/rate-windows.js';
import { RetainedRowsRepository } from './retention/data/retained-rows.repository.js';
import { Retention } from './retention/retention.js';
import { SealedRowsRepository } from './secrets/data/sealed-rows.repository.js';
import { Rekeying } from './secrets/rekeying.js';
import { SecretBox } from './secrets/secret-box.js';

const SHARED = [
  Assets,
  Listeners,
  ErrorPages,
  HttpMetrics,
  Mailer,
  MailOutbox,
  Metrics,
  MetricsAccess,
  ProblemFilter,
  ProcessMetrics,
  RateWindows,
  Readiness,
  Rekeying,
  Retention,
  RouteTable,
  Forgeries,
  Views,
];

/** What every module may use: configuration, jobs, views, limits, metrics. Knows no module itself. */
@Global()
@Module({})
export class PlatformModule {
  static with(config: Config, product: Product): DynamicModule {
    const sealed = [...product.sealed, SEALED_MAILS];
    const securityEvents = [...PLATFORM_SECURITY_EVENTS, ...product.securityEvents];
    const given = [
      { provide: CONFIG, useValue: config },
      { provide: Problems, useValue: new Problems(product.problems) },
      {
        provide: SecretBox,
        useValue: new SecretBox(sealed, config.secretKey, config.previousSecretKey),
      },
      {
        provide: SecurityLog,
        inject: [Metrics],
        useFactory: (metrics: Metrics) => new SecurityLog(metrics, securityEvents),
      },
    ];
    return {
      module: PlatformModule,
      imports: [JobsModule],
      controllers: [AssetsController, HealthController, MetricsController],
      providers: [...given, OutgoingMailsRepository, RetainedRowsRepository, SealedRowsRepository, ...SHARED],
      exports: [CONFIG, Problems, SecretBox, SecurityLog, JobsModule, ...SHARED],
    };
  }
}
