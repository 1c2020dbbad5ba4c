import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../config/config.types.js';
import type { By } from '../../database/by.js';
import type { On } from '../../database/statement.js';
import { DomainError, notFound } from '../../kernel/domain-error.js';
import { newId } from '../../kernel/ids.js';
import type { TypedNumber } from '../../kernel/text/typed-number.js';
import { MerchantsRepository } from './data/merchants.repository.js';
import { changesBetween } from './domain/changes.js';
import { checkSettings } from './domain/settings.js';
import type {
  Merchant,
  MerchantFilter,
  MerchantPage,
  MerchantSettings,
  MerchantStatus,
} from './merchants.types.js';

@Injectable()
export class MerchantsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly merchants: MerchantsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws DomainError `validation-error` */
  create(
    settings: MerchantSettings & { name: string },
    status: 'pending' | 'approved',
    by: By,
  ): Promise<Merchant> {
    return this.dataSource.transaction((tx) => this.insert(tx, settings, status, by, null));
  }

  /** The same with the commit of `tx`. @throws DomainError `validation-error` */
  async insert(
    tx: EntityManager,
    settings: MerchantSettings & { name: string },
    status: 'pending' | 'approved',
    by: By,
    reason: string | null,
  ): Promise<Merchant> {
    checkSettings(settings, this.config.networks);
    const id = newId('mer');
    const created = await this.merchants.insert(tx, { ...settings, id, status });
    const detail = { name: settings.name, status, ...(reason === null ? {} : { reason }) };
    await by.record(tx, { merchantId: id, action: 'merchant.created', subject: id, detail });
    return created;
  }

  /** @throws DomainError `merchant-not-found` */
  async get(id: string, on?: On): Promise<Merchant> {
    const merchant = await this.find(id, on);
    if (!merchant) throw noMerchant(id);
    return merchant;
  }

  async find(id: string, on?: On): Promise<Merchant | null> {
    return this.merchants.find(id, on);
  }

  async list(): Promise<Merchant[]> {
    return this.merchants.list();
  }

  /** For the operator: those that wait for approval first, then the newest. */
  page(filter: MerchantFilter, limit: number, offset: number): Promise<MerchantPage> {
    return this.merchants.page(filter, limit, offset);
  }

  /**
   * Approves, suspends or closes, with the commit of `tx`. Closing is for good: the buyer's money is still watched, but
   * nobody can sign in as this merchant any more.
   * @returns what it was before, which may be the same
   * @throws DomainError `merchant-not-found`, `conflict` for a closed merchant
   */
  async setStatus(
    tx: EntityManager,
    id: string,
    status: Exclude<MerchantStatus, 'pending'>,
    by: By,
    reason: string,
  ): Promise<MerchantStatus> {
    const merchant = await this.merchants.lock(tx, id);
    if (!merchant) throw noMerchant(id);
    if (merchant.status === 'closed' && status !== 'closed')
      throw new DomainError('conflict', 'conflict', 'This merchant is closed for good.');
    const { status: before } = merchant;
    if (before === status) return before;
    await this.merchants.setStatus(tx, id, status);
    const change = { action: `merchant.${status}`, subject: id, detail: { before, reason } } as const;
    await by.record(tx, { merchantId: id, ...change });
    return before;
  }

  /**
   * New quotes, and decisions from now on, go by the new settings. What is not named stays; a change that changes
   * nothing leaves no record.
   * @param settings also as they were typed: what cannot be read is refused with what is out of its range
   * @param also with the same commit
   * @throws DomainError `merchant-not-found`, `validation-error`
   */
  async set(
    id: string,
    settings: MerchantSettings<TypedNumber>,
    by: By,
    also?: (tx: EntityManager) => Promise<void>,
  ): Promise<Merchant> {
    checkSettings(settings, this.config.networks);
    return this.dataSource.transaction(async (tx) => {
      const before = await this.merchants.lock(tx, id);
      if (!before) throw noMerchant(id);
      const chosen = (settings.toleranceBps ?? 0) > 0 ? ({ toleranceChosen: true } as const) : {};
      if (Object.keys(settings).length > 0) await this.merchants.update(tx, id, { ...settings, ...chosen });
      await also?.(tx);
      const after = await this.merchants.current(tx, id);
      const changes = changesBetween(before, after);
      if (Object.keys(changes).length > 0)
        await by.record(tx, { merchantId: id, action: 'settings.changed', subject: id, detail: { changes } });
      return after;
    });
  }
}

function noMerchant(id: string): DomainError {
  return notFound(`There is no merchant ${id}.`, 'merchant-not-found');
}
