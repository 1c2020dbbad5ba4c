import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import type { Config } from '../config/config.types.js';
import type { Env } from '../config/environment.js';
import { isProduction, loadConfig, sandboxPlaces } from '../config/load-config.js';
import { processEnv } from '../config/process.js';
import { NetworkHealthService } from '../modules/chains/network-health.service.js';
import {
  readSandboxFile,
  sandboxNetworks,
  sandboxSecretKey,
} from '../modules/sandbox/sandbox-home.service.js';
import { onlyOf } from '../platform/observability/logging.js';
import { SECURITY_CONTEXT } from '../platform/observability/security-log.js';

/** The configured service in production; otherwise the sandbox that runs on DATA_DIR. */
export function cliConfig(env: Env): Config {
  if (isProduction(env)) return loadConfig(env);
  const { dataDir } = sandboxPlaces(env);
  const { databaseUrl, networks, baseUrl, checkoutUrl } = readSandboxFile(dataDir);
  return loadConfig(env, {
    databaseUrl: env['DATABASE_URL'] ?? databaseUrl,
    secretKey: sandboxSecretKey(dataDir),
    networks: sandboxNetworks(networks),
    baseUrl,
    checkoutUrl,
  });
}

/** Runs `work` in the same modules as the service. No job is started: a command line is not a worker. */
export async function withApp<Result>(
  work: (app: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const config = { ...cliConfig(processEnv()), databasePoolSize: 2 };
  const app = await NestFactory.createApplicationContext(AppModule.with(config), {
    logger: onlyOf(SECURITY_CONTEXT),
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/**
 * For commands that may decide about money: what lapsed is decided first, and deciding while nobody watches would
 * make a payment late that our own downtime hides.
 */
export async function withWatchedApp<Result>(
  work: (app: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  return withApp(async (app) => {
    const blind = (await app.get(NetworkHealthService).all()).filter(({ state }) => state !== 'open');
    if (blind.length > 0) {
      const names = blind.map(({ network }) => network).join(', ');
      throw new Error(`Not watched up to now: ${names}. Start the service, or wait until it has caught up.`);
    }
    return work(app);
  });
}
