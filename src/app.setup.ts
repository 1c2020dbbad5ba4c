import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { contractOf, DOCUMENTED } from './app.contract.js';
import { AppModule } from './app.module.js';
import { PATHS, PRODUCT } from './app.product.js';
import type { Config } from './config/config.types.js';
import { describeConfig } from './config/describe.js';
import { warnOfPower } from './database/application-role.js';
import { warnOfPlainConnection } from './database/plain-connection.js';
import { NetworkHealthService } from './modules/chains/network-health.service.js';
import { ContractService } from './modules/site/contract.service.js';
import { Readiness } from './platform/health/readiness.js';
import { handlersInTurn } from './platform/http/in-turn.js';
import { Listeners } from './platform/http/listeners.js';
import { requireAccess } from './platform/http/route-access.js';
import { securityHeaders } from './platform/http/security-headers.js';
import { LimitedExpressAdapter } from './platform/http/server.js';
import { surfaces } from './platform/http/surface.js';
import { httpsOnly, strictRequests, trace, whenReady } from './platform/http/transport.js';
import { Jobs } from './platform/jobs/jobs.js';
import { HttpMetrics } from './platform/observability/http.metrics.js';
import { createLogger, StructuredLogger } from './platform/observability/logging.js';
import { Metrics } from './platform/observability/metrics.js';
import { ProblemFilter } from './platform/problems/problem.filter.js';
import { Problems } from './platform/problems/problem.js';
import { listening } from './platform/process/cannot-start.js';
import { VERSION } from './platform/process/version.js';

/** How long a start waits for the chains to catch up before it serves all the same. */
const CATCH_UP_LIMIT_MS = 60_000;

type Modules = Parameters<typeof AppModule.with>[1];

/**
 * Builds the application as production, the sandbox and the tests all run it. It does not listen yet.
 *
 * `app.close()` stops in this order: readiness closes, and with it the open pages' streams (the adapter's
 * `beforeClose`); jobs (`onModuleDestroy`); the dispatcher, then the other listeners (`beforeApplicationShutdown`); the
 * main server; the database (`onApplicationShutdown`).
 */
export async function createApp(config: Config, extra?: Modules): Promise<NestExpressApplication> {
  const problems = new Problems(PRODUCT.problems);
  const adapter = new LimitedExpressAdapter({ problems, baseUrl: config.baseUrl });
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config, extra), adapter, {
    bodyParser: false,
    logger: new StructuredLogger(createLogger(config)),
  });
  app.set('trust proxy', config.trustProxy);
  app.set('query parser', 'simple');
  app.disable('x-powered-by');
  app.disable('etag'); // answers are no-store: hashing every body would be for nobody
  const readiness = app.get(Readiness);
  adapter.onClosing = () => readiness.close();
  app.use(
    handlersInTurn(
      app.get(HttpMetrics).middleware(),
      trace(),
      strictRequests(PATHS),
      securityHeaders(),
      ...(config.mode === 'production' ? [httpsOnly(config, PATHS)] : []),
      surfaces(config, PATHS),
      // Before its networks have caught up an answer could call a punctual payment late.
      whenReady(readiness, 'is catching up with its networks'),
    ),
  );
  app.useGlobalFilters(app.get(ProblemFilter));
  const contract = app.get(ContractService);
  contract.make = () => contractOf(app, config.baseUrl);
  contract.documented = DOCUMENTED;
  return app;
}

/**
 * Listens, lets the chains catch up, and only then answers.
 * @param beforeReady what must be in place when readiness is first reported
 * @param catchUpLimitMs how long a network is waited for: one that is down must not keep the others from their buyers
 */
export async function startApp(
  app: NestExpressApplication,
  config: Config,
  beforeReady: () => void = () => undefined,
  catchUpLimitMs = CATCH_UP_LIMIT_MS,
): Promise<void> {
  requireAccess(app);
  const listeners = app.get(Listeners);
  const runs = { version: VERSION, node: process.versions.node, config: describeConfig(config) };
  new Logger('Start').log(runs, `Rappen ${VERSION} starts`);
  await listening('PORT', config.port, config.host, app.listen(config.port, config.host));
  // The sandbox has no proxy in front that could route by Host: its checkout gets a port of its own.
  if (config.checkoutPort !== null)
    await listeners.open(app.getHttpAdapter().getInstance(), 'CHECKOUT_PORT', config.checkoutPort);
  if (config.metrics.port !== null)
    await listeners.open(app.get(Metrics).listener(), 'METRICS_PORT', config.metrics.port);
  if (config.mode === 'production') {
    await warnOfPower(app.get(DataSource)).catch(() => undefined);
    await warnOfPlainConnection(app.get(DataSource)).catch(() => undefined);
  }
  app.get(Jobs).start();
  await catchUp(app.get(NetworkHealthService), config, catchUpLimitMs);
  beforeReady();
  app.get(Readiness).open();
}

/** Says what the start waits for, and how that ended: until then every request is answered with 503. */
async function catchUp(health: NetworkHealthService, { networks }: Config, limitMs: number): Promise<void> {
  const logger = new Logger('Start');
  const startedMs = performance.now();
  const fields = { networks: networks.map(({ id }) => id), limitS: limitMs / 1_000 };
  logger.log(fields, 'waiting until the networks have caught up; 503 until then');
  const missing = await health.whenCaughtUp(limitMs);
  const waitedS = Math.round((performance.now() - startedMs) / 100) / 10;
  if (missing.length === 0) return logger.log({ waitedS }, 'every network has caught up: serving');
  logger.warn(
    { networks: missing, waitedS },
    'gave up waiting for these networks: serving without them, their options stay closed until they have caught up',
  );
}
