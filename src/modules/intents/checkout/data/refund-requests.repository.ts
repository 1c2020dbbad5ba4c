import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { newId } from '../../../../kernel/ids.js';
import { RefundRequestEntity } from './refund-request.entity.js';

const OLDEST_FIRST = { createdAt: 'ASC', id: 'ASC' } as const;

/** Every version of where a buyer would like money back; the latest counts. */
@Injectable()
export class RefundRequestsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Oldest first. */
  async of(intentIds: readonly string[]): Promise<RefundRequestEntity[]> {
    return this.dataSource
      .getRepository(RefundRequestEntity)
      .find({ where: { intentId: In(intentIds) }, order: OLDEST_FIRST });
  }

  async count(tx: EntityManager, intentId: string): Promise<number> {
    return tx.countBy(RefundRequestEntity, { intentId });
  }

  async add(tx: EntityManager, request: Omit<RefundRequestEntity, 'id' | 'createdAt'>): Promise<void> {
    await tx.insert(RefundRequestEntity, { ...request, id: newId('rfr') });
  }
}
