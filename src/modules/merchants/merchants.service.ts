import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';
import { newId } from '../../kernel/ids.js';
import { MerchantEntity } from './data/merchant.entity.js';
import { checkSettings } from './domain/settings.js';
import type { Merchant, MerchantSettings, MerchantStatus } from './merchants.types.js';

@Injectable()
export class MerchantsService {
  constructor(@InjectRepository(MerchantEntity) private readonly merchants: Repository<MerchantEntity>) {}

  /** @throws DomainError `validation-error` */
  async create(
    settings: MerchantSettings & { name: string },
    status: 'pending' | 'approved',
  ): Promise<Merchant> {
    checkSettings(settings);
    const merchant = this.merchants.create({ ...settings, id: newId('mer'), status });
    await this.merchants.insert(merchant);
    return this.get(merchant.id);
  }

  /** @throws DomainError `merchant-not-found` */
  async get(id: string): Promise<Merchant> {
    const merchant = await this.find(id);
    if (!merchant) throw notFound(id);
    return merchant;
  }

  async find(id: string, tx?: EntityManager): Promise<Merchant | null> {
    const merchants = tx ? tx.getRepository(MerchantEntity) : this.merchants;
    return merchants.findOneBy({ id });
  }

  async list(): Promise<Merchant[]> {
    return this.merchants.find({ order: { id: 'ASC' } });
  }

  /**
   * Approves, suspends or closes. Closing is for good: the buyer's money is still watched, but nobody can
   * sign in as this merchant any more.
   * @throws DomainError `merchant-not-found`, `conflict` for a closed merchant
   */
  async setStatus(id: string, status: Exclude<MerchantStatus, 'pending'>): Promise<Merchant> {
    const changed = await this.merchants
      .createQueryBuilder()
      .update()
      .set({ status })
      .where("id = :id AND status <> 'closed'", { id })
      .execute();
    const merchant = await this.get(id);
    if (changed.affected === 0)
      throw new DomainError('conflict', 'conflict', 'This merchant is closed for good.');
    return merchant;
  }

  /** @throws DomainError `merchant-not-found`, `validation-error` */
  async set(id: string, settings: MerchantSettings): Promise<Merchant> {
    checkSettings(settings);
    await this.get(id);
    if (Object.keys(settings).length > 0) await this.merchants.update({ id }, settings);
    return this.get(id);
  }
}

function notFound(id: string): DomainError {
  return new DomainError('not_found', 'merchant-not-found', `There is no merchant ${id}.`);
}
