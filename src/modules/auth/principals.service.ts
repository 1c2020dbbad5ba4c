import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseClock } from '../../database/clock.js';
import { ScheduledJob } from '../../platform/jobs/scheduled-job.js';
import type { MerchantStatus } from '../merchants/merchants.types.js';
import type { KeyOwner, Principal } from './auth.types.js';
import { findKey, findRevokedKey, writeLastUsed } from './data/find-key.statement.js';
import { hashApiKey } from './domain/api-key.js';

/** "Last used" is exact to a minute; a write per request would double the cost of a read. */
const LAST_USED_EVERY_MS = 60_000;
const FLUSH_EVERY_MS = 5_000;

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
    const row = await findKey(this.dataSource, hashApiKey(key));
    if (!row) return null;
    this.clock.observe(row.now);
    const { id, merchantId, scopes, status, lastUsedAt, now } = row;
    if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() >= LAST_USED_EVERY_MS) this.used.set(id, now);
    return { keyId: id, merchantId, scopes, status };
  }

  /** Whose a key was that opens nothing any more. */
  async findRevoked(key: string): Promise<KeyOwner | null> {
    const row = await findRevokedKey(this.dataSource, hashApiKey(key));
    return row && { keyId: row.id, merchantId: row.merchantId };
  }

  /** Keeps what could not be written for the next time. */
  @ScheduledJob('api-key-last-used', FLUSH_EVERY_MS)
  async flushLastUsed(): Promise<void> {
    if (this.used.size === 0) return;
    const used = [...this.used];
    this.used.clear();
    try {
      await writeLastUsed(this.dataSource, used);
    } catch (error) {
      for (const [id, at] of used) if (!this.used.has(id)) this.used.set(id, at);
      throw error;
    }
  }
}
