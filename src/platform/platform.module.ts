import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.types.js';
import { Assets } from './pages/assets.js';
import { RetainedRows } from './retention/data/retained-rows.repository.js';
import { SealedRows } from './secrets/data/sealed-rows.repository.js';
import { Forgeries } from './http/forgeries.js';
import { Listeners } from './http/listeners.js';
import { AssetsController } from './pages/assets.controller.js';
import { HealthController } from './health/health.controller.js';
import { Readiness } from './health/readiness.js';
import { JobsModule } from './jobs/jobs.module.js';
import { MailOutbox } from './mail/mail-outbox.js';
import { OutgoingMails } from './mail/data/outgoing-mails.repository.js';
import { Mailer } from './mail/mailer.js';
import { HttpMetrics } from './observability/http.metrics.js';
import { MetricsAccess } from './observability/metrics-access.js';
import { Metrics } from './observability/metrics.js';
import { ProcessMetrics } from './observability/process.metrics.js';
import { SecurityLog } from './observability/security-log.js';
import { MetricsController } from './observability/metrics.controller.js';
import { Contract, ContractController } from './openapi/contract.controller.js';
import { ErrorPages } from './problems/error-pages.js';
import { ProblemFilter } from './problems/problem.filter.js';
import { ProblemsController } from './problems/problems.controller.js';
import { RouteTable } from './problems/route-table.js';
import { Rekeying } from './secrets/rekeying.js';
import { Retention } from './retention/retention.js';
import { RateWindows } from './rate-limit/rate-windows.js';
import { SecretBox } from './secrets/secret-box.js';
import { HomeController } from './site/home.controller.js';
import { SecurityTxtController } from './site/security-txt.controller.js';
import { Snippets } from './site/snippets.js';
import { SitePages } from './site/site.pages.js';
import { Views } from './pages/views.js';

const SHARED = [
  Assets,
  Contract,
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
  SecurityLog,
  Forgeries,
  SitePages,
  Snippets,
  Views,
];

/** What every module may use: configuration, jobs, views, limits, metrics. Knows no module itself. */
@Global()
@Module({})
export class PlatformModule {
  static with(config: Config): DynamicModule {
    const secretBox = {
      provide: SecretBox,
      useValue: new SecretBox(config.secretKey, config.previousSecretKey),
    };
    return {
      module: PlatformModule,
      imports: [JobsModule],
      controllers: [
        AssetsController,
        ContractController,
        HealthController,
        HomeController,
        MetricsController,
        ProblemsController,
        SecurityTxtController,
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        secretBox,
        OutgoingMails,
        RetainedRows,
        SealedRows,
        ...SHARED,
      ],
      exports: [CONFIG, SecretBox, JobsModule, ...SHARED],
    };
  }
}
