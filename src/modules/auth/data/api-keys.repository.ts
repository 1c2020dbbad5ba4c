import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity.js';

export type NewApiKey = Pick<ApiKeyEntity, 'id' | 'merchantId' | 'hash' | 'prefix' | 'label' | 'scopes'>;

/** The rows of keys. That a request's key stands is asked with what the request asks (`keyed-read.shared.sql.ts`). */
@Injectable()
export class ApiKeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(tx: EntityManager, key: NewApiKey): Promise<ApiKeyEntity> {
    await tx.insert(ApiKeyEntity, key);
    return tx.findOneByOrFail(ApiKeyEntity, { id: key.id });
  }

  /** `null` for another merchant's too. */
  find(
    merchantId: string,
    id: string,
    on: EntityManager = this.dataSource.manager,
  ): Promise<ApiKeyEntity | null> {
    return on.findOneBy(ApiKeyEntity, { id, merchantId });
  }

  /** @returns whether it stood until now */
  async revoke(tx: EntityManager, merchantId: string, id: string): Promise<boolean> {
    const standing = { id, merchantId, revokedAt: IsNull() };
    const { affected } = await tx.update(ApiKeyEntity, standing, { revokedAt: () => 'now()' });
    return affected === 1;
  }

  /** @returns the merchant's id */
  async ownerOf(id: string): Promise<string | null> {
    const select = { merchantId: true };
    const key = await this.dataSource.manager.findOne(ApiKeyEntity, { where: { id }, select });
    return key?.merchantId ?? null;
  }

  /** Oldest first. */
  list(merchantId: string): Promise<ApiKeyEntity[]> {
    return this.dataSource.manager.find(ApiKeyEntity, { where: { merchantId }, order: { id: 'ASC' } });
  }
}
