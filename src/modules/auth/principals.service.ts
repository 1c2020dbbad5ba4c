import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseClock } from '../../database/clock.js';
import { run, statement } from '../../database/statement.js';
import { ScheduledJob } from '../../platform/scheduled-job.js';
import type { MerchantStatus } from '../merchants/merchants.types.js';
import type { Principal, Scope } from './auth.types.js';
import { hashApiKey } from './domain/api-key.js';

/** "Last used" is exact to a minute; a write per request would double the cost of a read. */
const LAST_USED_EVERY_MS = 60_000;
const FLUSH_EVERY_MS = 5_000;

interface KeyRow {
  readonly id: string;
  readonly merchantId: string;
  readonly scopes: readonly Scope[];
  readonly lastUsedAt: Date | null;
  readonly status: MerchantStatus;
  readonly now: Date;
}

const FIND_KEY = statement(
  'auth-find-key',
  `SELECT k.id, k.merchant_id AS "merchantId", k.scopes, k.last_used_at AS "lastUsedAt", m.status,
          clock_timestamp() AS now
   FROM api_key k JOIN merchant m ON m.id = k.merchant_id
   WHERE k.hash = $1 AND k.revoked_at IS NULL`,
);

/** Locks in one order: two instances that flush the same keys would otherwise wait for each other. */
const WRITE_LAST_USED = `
  UPDATE api_key k SET last_used_at = greatest(k.last_used_at, u.at)
  FROM (SELECT l.id, used.at
        FROM unnest($1::text[], $2::timestamptz[]) AS used (id, at) JOIN api_key l ON l.id = used.id
        ORDER BY l.id FOR NO KEY UPDATE OF l) AS u
  WHERE k.id = u.id`;

/** Who a key is, asked of the database at each request: revocation and suspension are immediate. */
@Injectable()
export class PrincipalsService {
  private readonly used = new Map<string, Date>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: DatabaseClock,
  ) {}

  /** One round trip; it also brings the database's time, which an intent created by this request needs. */
  async find(key: string): Promise<(Principal & { status: MerchantStatus }) | null> {
    const [row] = await run<KeyRow>(this.dataSource, FIND_KEY, [hashApiKey(key)]);
    if (!row) return null;
    this.clock.observe(row.now);
    const { id, merchantId, scopes, status, lastUsedAt, now } = row;
    if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() >= LAST_USED_EVERY_MS) this.used.set(id, now);
    return { keyId: id, merchantId, scopes, status };
  }

  /** Keeps what could not be written for the next time. */
  @ScheduledJob('api-key-last-used', FLUSH_EVERY_MS)
  async flushLastUsed(): Promise<void> {
    if (this.used.size === 0) return;
    const used = [...this.used];
    this.used.clear();
    try {
      await this.dataSource.query(WRITE_LAST_USED, [used.map(([id]) => id), used.map(([, at]) => at)]);
    } catch (error) {
      for (const [id, at] of used) if (!this.used.has(id)) this.used.set(id, at);
      throw error;
    }
  }
}
