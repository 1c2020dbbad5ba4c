import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Client } from 'pg';
import { createApp, startApp } from '../../app.setup.js';
import type { Env } from '../../config/environment.js';
import { loadConfig, sandboxPlaces } from '../../config/load-config.js';
import { migrate } from '../../database/migrate.js';
import { pathTo } from '../dashboard/paths.http.js';
import { CoinBuyer } from './buyers/coin-buyer.service.js';
import { EvmBuyer } from './buyers/evm-buyer.service.js';
import { demoMerchant } from './demo-merchant.js';
import type { Coin } from './local/coins/litecoind.js';
import { anvilAccount } from './local/evm/tokens.js';
import { takeOwnership } from './local/ownership.js';
import { applicationRole } from './local/postgres/application-role.js';
import { startPostgres } from './local/postgres/postgres.js';
import { together } from './local/together.js';
import { type LocalEvm, localEvm } from './local-chains.js';
import { type LocalCoins, localCoins } from './local-coins.js';
import { requireFreePort } from './occupied.js';
import { ReceivedEvents } from './receiver/received-events.js';
import { SandboxModule } from './sandbox.module.js';
import {
  removeSandboxFile,
  type SandboxFile,
  sandboxNetworks,
  sandboxSecretKey,
  writeSandboxFile,
} from './sandbox-home.service.js';
import { PaymentWindow } from './scenarios/payment-window.js';
import type { LocalBuyers } from './scenarios/scenarios.service.js';
import { summary } from './summary.js';

/** anvil's third account plays the scenarios: the second is the command line's, and one nonce cannot serve two processes. */
const PLAYER = 2;

export interface Running {
  readonly app: NestExpressApplication;
  readonly sandbox: SandboxFile;
  readonly stop: () => Promise<void>;
}

/**
 * Starts all that a developer needs: PostgreSQL, a chain with tokens, the service, a demo merchant. What has
 * been started is stopped again in reverse order, also when a later step fails.
 */
export async function startSandbox(env: Env): Promise<Running> {
  const { dataDir, port, checkoutPort, host } = sandboxPlaces(env);
  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    await requireFreePort('PORT', port, host);
    await requireFreePort('CHECKOUT_PORT', checkoutPort, host);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    takeOwnership(join(dataDir, 'owner.json'), `The sandbox in ${dataDir}`);
    removeSandboxFile(dataDir);
    const [database, evm, coins] = await together(
      env['DATABASE_URL'] ? givenDatabase(env['DATABASE_URL']) : localDatabase(dataDir, undo),
      localEvm(dataDir, undo),
      localCoins(dataDir, undo),
    );
    const networks = { ...evm.running, ...coins.running };
    const { databaseUrl } = database;
    const config = loadConfig(env, {
      databaseUrl,
      secretKey: sandboxSecretKey(dataDir),
      networks: sandboxNetworks(networks),
    });
    await migrate(database.ownerUrl, database.applicationRole);
    await loosen(database);
    const app = await createApp(config, [
      SandboxModule.with(localBuyers(networks, { ...evm.miners, ...coins.miners })),
    ]);
    undo.push(() => app.close());
    await app.init();
    const demo = await demoMerchant(app, dataDir, `http://localhost:${config.port}/sandbox/webhook`);
    app.get(ReceivedEvents).expect(demo.webhook.secret);
    const { baseUrl, checkoutUrl } = config;
    const sandbox: SandboxFile = {
      baseUrl,
      checkoutUrl,
      databaseUrl,
      merchantId: demo.merchantId,
      apiKey: demo.apiKey,
      dashboard: { url: baseUrl + pathTo('home'), ...demo.login },
      webhook: demo.webhook,
      networks,
    };
    undo.push(() => removeSandboxFile(dataDir));
    await startApp(app, config, () => writeSandboxFile(dataDir, sandbox));
    process.stdout.write(summary(sandbox, dataDir, config, coins.missing));
    return { app, sandbox, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What only a sandbox may do with its data. */
async function loosen({ ownerUrl, applicationRole }: Database): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    // anvil makes another first block at each start, also of a chain that it loads: here the chain id has to do.
    await owner.query('UPDATE chain_cursor SET chain_id = NULL, genesis_hash = NULL');
    if (applicationRole !== undefined) await PaymentWindow.permit(owner, applicationRole);
  } finally {
    await owner.end();
  }
}

interface Database {
  /** For migrations. */
  readonly ownerUrl: string;
  readonly databaseUrl: string;
  readonly applicationRole?: string;
}

function givenDatabase(url: string): Promise<Database> {
  return Promise.resolve({ ownerUrl: url, databaseUrl: url });
}

async function localDatabase(dataDir: string, undo: (() => unknown)[]): Promise<Database> {
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres') });
  undo.push(() => postgres.stop());
  const { role, url } = await applicationRole(postgres.url);
  return { ownerUrl: postgres.url, databaseUrl: url, applicationRole: role };
}

function localBuyers(
  networks: SandboxFile['networks'],
  miners: LocalEvm['miners'] & LocalCoins['miners'],
): LocalBuyers {
  const player = anvilAccount(PLAYER);
  const onEvm = (name: keyof LocalEvm['miners']) =>
    [name, new EvmBuyer(networks[name], player, miners[name])] as const;
  const ofCoin = (name: Coin) => {
    const coin = networks[name];
    return coin ? [[name, new CoinBuyer(coin, miners[name])] as const] : [];
  };
  return {
    evm: new Map([onEvm('ethereum'), onEvm('polygon')]),
    coins: new Map([...ofCoin('litecoin'), ...ofCoin('bitcoin')]),
  };
}
