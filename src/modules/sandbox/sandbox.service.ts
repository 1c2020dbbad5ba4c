import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp, startApp } from '../../app.setup.js';
import type { Env } from '../../config/environment.js';
import { loadConfig, sandboxPlaces } from '../../config/load-config.js';
import { sandboxEthereum } from '../../config/networks.js';
import { migrate } from '../../database/migrate.js';
import { demoMerchant } from './demo-merchant.js';
import { localCoins } from './local-coins.js';
import { startAnvil } from './local/anvil.js';
import { startPostgres } from './local/postgres.js';
import { deployTokens } from './local/tokens.js';
import { takeOwnership } from './local/ownership.js';
import { requireFreePort } from './occupied.js';
import { ReceivedEvents } from './receiver/received-events.js';
import {
  removeSandboxFile,
  sandboxSecretKey,
  writeSandboxFile,
  type SandboxFile,
} from './sandbox-home.service.js';
import { SandboxModule } from './sandbox.module.js';
import { summary } from './summary.js';

/** anvil's second account, known to everybody. It holds the coin and the tokens of a chain that is worth nothing. */
const BUYER_PRIVATE_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

const BLOCK_TIME_S = 1;
/** `safe` after four blocks, `finalized` after eight: `sandboxEthereum` tells the buyer the same. */
const SLOTS_IN_AN_EPOCH = 4;

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
  const { dataDir, port, checkoutPort } = sandboxPlaces(env);
  const host = env['HOST'] ?? '127.0.0.1';
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
    const databaseUrl = env['DATABASE_URL'] ?? (await localPostgres(dataDir, undo));
    const chain = await localChain(dataDir, undo);
    const coins = await localCoins(dataDir, undo);
    const config = loadConfig(env, {
      databaseUrl,
      secretKey: sandboxSecretKey(dataDir),
      networks: [
        sandboxEthereum(chain.rpcUrl, { USDC: chain.tokens.USDC.address, USDT: chain.tokens.USDT.address }),
        ...coins.networks,
      ],
    });
    await migrate(databaseUrl);
    const app = await createApp(config, [SandboxModule]);
    undo.push(() => app.close());
    await app.init();
    const demo = await demoMerchant(app, dataDir, `${config.baseUrl}/sandbox/webhook`);
    app.get(ReceivedEvents).expect(demo.webhook.secret);
    const { baseUrl, checkoutUrl } = config;
    const sandbox: SandboxFile = {
      baseUrl,
      checkoutUrl,
      databaseUrl,
      merchantId: demo.merchantId,
      apiKey: demo.apiKey,
      dashboard: { url: `${baseUrl}/dashboard`, ...demo.login },
      webhook: demo.webhook,
      networks: { ethereum: { ...chain, buyerPrivateKey: BUYER_PRIVATE_KEY }, ...coins.running },
    };
    undo.push(() => removeSandboxFile(dataDir));
    await startApp(app, config, () => writeSandboxFile(dataDir, sandbox));
    process.stdout.write(summary(sandbox, dataDir, config.networks, coins.missing));
    return { app, sandbox, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function localPostgres(dataDir: string, undo: (() => unknown)[]): Promise<string> {
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres') });
  undo.push(() => postgres.stop());
  return postgres.url;
}

async function localChain(dataDir: string, undo: (() => unknown)[]) {
  const anvil = await startAnvil({
    stateFile: join(dataDir, 'anvil', 'state.json'),
    blockTimeS: BLOCK_TIME_S,
    slotsInAnEpoch: SLOTS_IN_AN_EPOCH,
  });
  undo.push(() => anvil.stop());
  return { rpcUrl: anvil.rpcUrl, chainId: anvil.chainId, tokens: await deployTokens(anvil.rpcUrl) };
}
