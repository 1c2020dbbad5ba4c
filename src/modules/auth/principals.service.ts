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

/** A good key, whatever its merchant is. */
export interface FoundKey extends Principal {
  readonly status: MerchantStatus;
  /** What was read beside it: the other columns of the row. */
  readonly beside: object;
}

/** Who a key is, asked of the database at each request: revocation and suspension are immediate. */
@Injectable()
export class PrincipalsService {
  private readonly used = new Map<string, Date>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: DatabaseClock,
  ) {}

  /**
   * One round trip; it also brings the database's time, which an intent created by this request needs.
   * @param read what the request reads in the same one
   */
  async find(key: string, read: Parameters<typeof findKey>[2] = null): Promise<FoundKey | null> {
    const row = await findKey(this.dataSource, hashApiKey(key), read);
    if (!row) return null;
    const { keyId, keyOwner: merchantId, keyScopes: scopes, ownerStatus: status, ...rest } = row;
    const { keyUsedAt: usedAt, keyFoundAt: now, ...beside } = rest;
    this.clock.observe(now);
    if (!usedAt || now.getTime() - usedAt.getTime() >= LAST_USED_EVERY_MS) this.used.set(keyId, now);
    return { keyId, merchantId, scopes, status, beside };
  }

  /** Whose a key was that opens nothing any more. */
  findRevoked(key: string): Promise<KeyOwner | null> {
    return findRevokedKey(this.dataSource, hashApiKey(key));
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
