import { createApp } from '../../../src/app.setup.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { createTestDatabase } from '../database/database.js';

/** A metric of the registry, with what prom-client's types leave out. */
export interface Exposed {
  readonly name: string;
  readonly labelNames: readonly string[];
  readonly type: string;
}

/** Every metric that the service has in production, its libraries' own too. Nothing is started but its modules. */
export async function exposedMetrics(): Promise<Exposed[]> {
  const database = await createTestDatabase();
  const config = loadConfig({
    NODE_ENV: 'production',
    BASE_URL: 'https://api.rappen.example',
    CHECKOUT_URL: 'https://pay.rappen.example',
    DATABASE_URL: database.url,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'silent',
  });
  const app = await createApp(config);
  await app.init();
  const exposed = app.get(Metrics).registry.getMetricsAsArray() as unknown as Exposed[];
  await app.close();
  await database.drop();
  return exposed;
}
