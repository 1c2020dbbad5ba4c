import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { MerchantFilter, MerchantPage } from '../merchants.types.js';
import { MerchantEntity } from './merchant.entity.js';

/** What is asked of many merchants. */
@Injectable()
export class MerchantsRepository {
  constructor(private readonly dataSource: DataSource) {}

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
