import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { createApp, startApp } from '../../../src/app.setup.js';
import type { Config, NetworkConfig } from '../../../src/config/config.types.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { sandboxEthereum } from '../../../src/config/networks.js';
import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import type { Scope } from '../../../src/modules/auth/auth.types.js';
import { ExtendedKeysService } from '../../../src/modules/chains/wallets/extended-keys.service.js';
import { InvariantsService } from '../../../src/modules/intents/reporting/invariants.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { Jobs } from '../../../src/platform/jobs/jobs.js';
import { createTestDatabase } from '../database/database.js';
import { by } from '../intents/by.js';
import { standAtTip } from '../intents/money.js';
import { chainOf, expectLikeItsChain } from '../nodes/chain-check.js';
import { NO_NODE, sayNothingUsed, vpubOf, xpubOf } from '../nodes/wallet.js';
import { stablePort } from '../servers/ports.js';

export interface ServiceOptions {
  /** Without one no network is configured: for specs that are not about paying. */
  readonly chain?: { rpcUrl: string; tokens: { USDC: { address: string }; USDT: { address: string } } };
  /** Networks beside the chain's, such as a Bitcoin-like one. */
  readonly networks?: readonly NetworkConfig[];
  /** Changes to the chain's network. */
  readonly network?: Partial<NetworkConfig>;
  readonly env?: Readonly<Record<string, string>>;
  /** Where no node answers: the block at which the cursors of all networks stand, so that none is missed for a day. */
  readonly standsAt?: number;
  /** A database that outlives the service, for restarts. */
  readonly databaseUrl?: string;
  /** 32 bytes. */
  readonly secretKey?: Buffer;
  /** How long the start waits for its networks. */
  readonly catchUpLimitMs?: number;
  /** Jobs that never run by themselves, by their names: the spec does what they do, when it says so. */
  readonly stillJobs?: readonly string[];
  /** Modules beside the service's, such as the sandbox's. */
  readonly modules?: Parameters<typeof createApp>[1];
}

/**
 * The jobs that look for the operator's troubles. A spec that looks itself keeps them still: one of theirs that begins before a
 * trouble is over and ends afterwards raises once more what the spec has just seen end.
 */
export const OPERATOR_LOOKS = ['option-alerts', 'chain-alerts'] as const;

type Chain = NonNullable<ServiceOptions['chain']>;

function networkOf({ rpcUrl, tokens }: Chain, changes: Partial<NetworkConfig> = {}): NetworkConfig {
  return { ...sandboxEthereum(rpcUrl, { USDC: tokens.USDC.address, USDT: tokens.USDT.address }), ...changes };
}

/** To be called before modules name their jobs, and what it returns afterwards. @throws Error for a name of no job */
function keepStill(jobs: Jobs, names: readonly string[]): () => void {
  const unknown = new Set(names);
  const define = jobs.define.bind(jobs);
  jobs.define = (job) => define(unknown.delete(job.name) ? { ...job, run: () => Promise.resolve() } : job);
  return () => {
    if (unknown.size > 0) throw new Error(`there is no job ${[...unknown].join(', ')}`);
  };
}

export interface Shop {
  readonly merchantId: string;
  readonly key: string;
}

/** The real application on a database of its own, on free ports. */
export class Service {
  private readonly uncompared = new Map<string, string>();
  private readonly untold = new Map<string, readonly string[]>();

  private constructor(
    readonly app: NestExpressApplication,
    readonly config: Config,
    private readonly dispose: () => Promise<void>,
  ) {}

  static async start(options: ServiceOptions = {}): Promise<Service> {
    const database = options.databaseUrl ? null : await createTestDatabase();
    const [port, checkoutPort] = [await stablePort(), await stablePort()];
    const env = {
      PORT: String(port),
      CHECKOUT_PORT: String(checkoutPort),
      LOG_LEVEL: 'silent',
      ...options.env,
    };
    const config = loadConfig(env, {
      databaseUrl: options.databaseUrl ?? database?.url ?? '',
      secretKey: options.secretKey ?? Buffer.alloc(32, 1),
      networks: [
        ...(options.chain ? [networkOf(options.chain, options.network)] : []),
        ...(options.networks ?? []),
      ],
    });
    if (options.standsAt !== undefined) {
      const networks = config.networks.map(({ id }) => id);
      await standAtTip(config.databaseUrl, options.standsAt, networks);
    }
    const app = await createApp(config, options.modules);
    const mustBeStill = keepStill(app.get(Jobs), options.stillJobs ?? []);
    await startApp(app, config, mustBeStill, options.catchUpLimitMs);
    return new Service(app, config, async () => {
      await app.close();
      await database?.drop();
    });
  }

  get url(): string {
    return this.config.baseUrl;
  }

  /** An approved merchant with a key and a wallet of its own. */
  async shop(scopes: Scope[] = ['read', 'write'], name = 'Test Shop'): Promise<Shop> {
    const { id } = await this.app
      .get(MerchantsService)
      .create({ name, supportContact: 'help@shop.example' }, 'approved', by('test'));
    for (const { id: network, family, rpcUrl } of this.config.networks) {
      if (family === 'evm' && network !== 'ethereum') continue;
      const xpub = family === 'evm' ? xpubOf(id) : vpubOf(`${id} ${family}`);
      await this.app.get(ExtendedKeysService).set({ merchantId: id, network, xpub }, by('test'));
      if (rpcUrl.startsWith(NO_NODE)) await sayNothingUsed(this.app.get(DataSource));
    }
    return { merchantId: id, key: await this.key(id, scopes) };
  }

  async key(merchantId: string, scopes: Scope[]): Promise<string> {
    return (await this.app.get(ApiKeysService).create(merchantId, scopes, 'test', by('test'))).key;
  }

  /** What the suite wrote by hand, or hid, stands in no chain: then the two are not compared at the end. */
  leaveUncompared(why: string, networks = this.config.networks.map(({ id }) => id)): void {
    for (const id of networks) this.uncompared.set(id, why);
  }

  /** As `ChainTest.leaveUntold`. */
  leaveUntold(network: string, ...untold: readonly string[]): void {
    this.untold.set(network, untold);
  }

  /** Stops the service, after its money has been checked, against its chains too. */
  async stop(): Promise<void> {
    const findings = await this.app.get(InvariantsService).check();
    try {
      await this.expectLikeItsChains();
    } finally {
      await this.dispose();
    }
    const broken = findings.filter(({ violations }) => violations > 0);
    if (broken.length > 0) throw new Error(`broken invariants: ${JSON.stringify(broken)}`);
  }

  /** @throws where a node runs no more: then the suite says that, and why */
  private async expectLikeItsChains(): Promise<void> {
    for (const network of this.config.networks) {
      if (this.uncompared.has(network.id) || network.rpcUrl.startsWith(NO_NODE)) continue;
      const chain = await chainOf(network);
      if (!chain) throw new Error(`${network.id} has no node any more to be compared with`);
      await expectLikeItsChain(this.app, network.id, chain, this.untold.get(network.id));
    }
  }
}
