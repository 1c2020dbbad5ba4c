import type { NestExpressApplication } from '@nestjs/platform-express';
import { HDKey } from '@scure/bip32';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.setup.js';
import type { NetworkConfig } from '../../src/config/config.types.js';
import { loadConfig } from '../../src/config/load-config.js';
import { sandboxBitcoin, sandboxEthereum } from '../../src/config/networks.js';
import { DatabaseClock } from '../../src/database/clock.js';
import { ExtendedKeysService } from '../../src/modules/chains/wallets/extended-keys.service.js';
import { InvariantsService } from '../../src/modules/intents/reporting/invariants.service.js';
import { MerchantsService } from '../../src/modules/merchants/merchants.service.js';
import { Readiness } from '../../src/platform/health/readiness.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { by } from '../support/intents/by.js';
import { NO_NODE, sayNothingUsed, vpubOf, xpubOf } from '../support/nodes/wallet.js';
import { type ModelRules, RULES } from './reference.js';
import { VirtualClock } from './virtual-clock.js';

export const TOKENS = { USDC: `0x${'1'.repeat(40)}`, USDT: `0x${'2'.repeat(40)}` } as const;

/** A tip of any age is fresh: blocks come when a life says so. */
const ANY_AGE_S = 100_000;

/** What a life needs begins anew with each, and so does what refers to it; the merchants stay. */
const FORGOTTEN = [
  'intent',
  'intent_count',
  'intent_day',
  'transfer',
  'fact_change',
  'fact_rest',
  'address',
  'alert',
  'event',
  'chain_cursor',
  'cursor_asset',
  'chain_block',
  'coin_baseline',
  'reconciliation',
  'chain_difference',
];

const FORGETTING = `
  WITH RECURSIVE forgotten (relation) AS (
    SELECT name::regclass::oid FROM unnest($1::text[]) AS name
    UNION SELECT c.conrelid FROM pg_constraint c JOIN forgotten f ON c.confrelid = f.relation WHERE c.contype = 'f'
  )
  SELECT string_agg(format('DELETE FROM %s', relation::regclass), '; ') AS sql FROM forgotten`;

/** The real service on a database whose clock stands still. Nothing runs by itself: a life says what happens when. */
export class Stage {
  private constructor(
    readonly database: TestDatabase,
    readonly clock: VirtualClock,
    readonly app: NestExpressApplication,
    readonly dataSource: DataSource,
    readonly networks: { readonly bitcoin: NetworkConfig; readonly ethereum: NetworkConfig },
    readonly merchants: readonly string[],
    private readonly forgetting: string,
  ) {}

  static async open(): Promise<Stage> {
    const database = await createTestDatabase();
    const clock = await VirtualClock.install(database.url);
    const bitcoin = { ...sandboxBitcoin(NO_NODE), blockIntervalS: ANY_AGE_S };
    const ethereum = { ...sandboxEthereum(NO_NODE, TOKENS), blockIntervalS: ANY_AGE_S };
    const config = loadConfig(
      { LOG_LEVEL: 'silent' },
      { databaseUrl: database.url, secretKey: Buffer.alloc(32, 1), networks: [bitcoin, ethereum] },
    );
    const app = await createApp(config);
    await app.init();
    app.get(Readiness).open();
    const merchants: string[] = [];
    for (const rules of RULES) merchants.push(await shop(app, rules));
    await sayNothingUsed(app.get(DataSource));
    const dataSource = app.get(DataSource);
    const [{ sql }] = await dataSource.query<[{ sql: string }]>(FORGETTING, [FORGOTTEN]);
    return new Stage(database, clock, app, dataSource, { bitcoin, ethereum }, merchants, sql);
  }

  /** By rows: emptied tables are new ones to PostgreSQL, for which all sessions plan all their statements anew. */
  async reset(): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await tx.query('SET LOCAL session_replication_role = replica');
      await tx.query(this.forgetting);
    });
  }

  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms);
    this.app.get(DatabaseClock).observe(new Date(this.clock.nowMs));
  }

  async broken(): Promise<string[]> {
    const findings = await this.app.get(InvariantsService).check();
    return findings.filter(({ violations }) => violations > 0).map(({ invariant }) => invariant);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.clock.stop();
    await this.database.drop();
  }
}

/** The public key of an address that the merchant's wallet holds. */
export function coinKeyOf(merchantId: string, index: number): string {
  const account = HDKey.fromExtendedKey(vpubOf(`${merchantId} bitcoin`), {
    public: 0x045f1cf6,
    private: 0x045f18bc,
  });
  return Buffer.from(account.deriveChild(0).deriveChild(index).publicKey!).toString('hex');
}

async function shop(app: NestExpressApplication, rules: ModelRules): Promise<string> {
  const merchants = app.get(MerchantsService);
  const { id } = await merchants.create(
    { name: 'Shop', supportContact: 'help@shop.example' },
    'approved',
    by('test'),
  );
  const extendedKeys = app.get(ExtendedKeysService);
  await extendedKeys.set({ merchantId: id, network: 'bitcoin', xpub: vpubOf(`${id} bitcoin`) }, by('test'));
  await extendedKeys.set({ merchantId: id, network: 'ethereum', xpub: xpubOf(id) }, by('test'));
  await merchants.set(
    id,
    {
      acceptSeenLate: rules.seenLate,
      acceptShortBps: rules.shortPercent * 100,
      acceptLateMinutes: rules.late ? 60 : 0,
      acceptLateMoveBps: rules.late ? 100 : 0,
      networkTerms: rules.confirmationDepth === 1 ? {} : termsOf(rules.confirmationDepth),
    },
    by('test'),
  );
  return id;
}

/** Deeper than the networks' own, as a merchant may ask for it. */
function termsOf(confirmationDepth: number) {
  return {
    bitcoin: { assets: {}, confirmationDepth, settlementDepths: [3, 4, 6, 6] },
    ethereum: { assets: {}, confirmationDepth, settlementDepths: [3, 4, 6, 6] },
  } as const;
}
