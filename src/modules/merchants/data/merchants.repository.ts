import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type On, run, statement } from '../../../database/statement.js';
import type {
  Merchant,
  MerchantFilter,
  MerchantPage,
  MerchantSettings,
  MerchantStatus,
} from '../merchants.types.js';
import { MerchantEntity } from './merchant.entity.js';

/** Every page of a buyer asks for its merchant. */
const FIND = statement(
  'merchants-find',
  `SELECT m.id, m.name, m.status, m.support_contact AS "supportContact", m.color, m.logo,
          m.tolerance_bps AS "toleranceBps", m.tolerance_chosen AS "toleranceChosen", m.spread_bps AS "spreadBps",
          m.accept_seen_late AS "acceptSeenLate", m.accept_short_bps AS "acceptShortBps",
          m.accept_short_minor AS "acceptShortMinor", m.accept_late_minutes AS "acceptLateMinutes",
          m.accept_late_move_bps AS "acceptLateMoveBps", m.alert_emails AS "alertEmails",
          m.network_terms AS "networkTerms", m.created_at AS "createdAt"
     FROM merchant m WHERE m.id = $1`,
);

export type NewMerchant = Pick<Merchant, 'id' | 'name' | 'status'> & MerchantSettings;

/** The rows of merchants. */
@Injectable()
export class MerchantsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(id: string, on: On = this.dataSource): Promise<Merchant | null> {
    const [row] = await run<Omit<Merchant, 'acceptShortMinor'> & { acceptShortMinor: string }>(on, FIND, [
      id,
    ]);
    return row ? { ...row, acceptShortMinor: Number(row.acceptShortMinor) } : null;
  }

  async insert(tx: EntityManager, merchant: NewMerchant): Promise<Merchant> {
    await tx.insert(MerchantEntity, merchant);
    return this.current(tx, merchant.id);
  }

  /** As `tx` has written it. @throws where there is none */
  current(tx: EntityManager, id: string): Promise<Merchant> {
    return tx.findOneByOrFail(MerchantEntity, { id });
  }

  /** Not for its key: what refers to the merchant is created meanwhile, also by whoever holds what this transaction waits for. */
  lock(tx: EntityManager, id: string): Promise<Merchant | null> {
    return tx.findOne(MerchantEntity, { where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  async setStatus(tx: EntityManager, id: string, status: MerchantStatus): Promise<void> {
    await tx.update(MerchantEntity, { id }, { status });
  }

  async update(tx: EntityManager, id: string, update: MerchantSettings): Promise<void> {
    await tx.update(MerchantEntity, { id }, update);
  }

  /** By id. */
  list(): Promise<Merchant[]> {
    return this.dataSource.manager.find(MerchantEntity, { order: { id: 'ASC' } });
  }

  /** Those that wait for approval first, then the newest. */
  async page({ status, search }: MerchantFilter, limit: number, offset: number): Promise<MerchantPage> {
    const query = this.dataSource.getRepository(MerchantEntity).createQueryBuilder('m').where('true');
    if (status !== null) query.andWhere('m.status = :status', { status });
    if (search !== null) {
      query.andWhere('(m.id = :search OR strpos(lower(m.name), lower(:search)) > 0)', { search });
    }
    const [items, total] = await query
      .addSelect("m.status = 'pending'", 'waits')
      .orderBy({ waits: 'DESC', 'm.created_at': 'DESC', 'm.id': 'DESC' })
      .limit(limit)
      .offset(offset)
      .getManyAndCount();
    return { items, total };
  }
}
