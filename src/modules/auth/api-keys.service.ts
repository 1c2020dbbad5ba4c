import { Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import type { By } from '../../database/by.js';
import { DomainError, notFound, wrongField } from '../../kernel/domain-error.js';
import { newId } from '../../kernel/ids.js';
import { characterCount } from '../../kernel/text/character-count.js';
import { MerchantsService } from '../merchants/merchants.service.js';
import { type ApiKeyView, SCOPES } from './auth.types.js';
import { ApiKeyEntity } from './data/api-key.entity.js';
import { hashApiKey, newApiKey, shortApiKey } from './domain/api-key.js';

export const MAX_LABEL_LENGTH = 100;

/** Issues, lists and revokes keys. Several may be active at once, which is how a key is rotated. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly merchants: MerchantsService,
  ) {}

  /**
   * Also before approval: the key then works from the moment of approval on.
   * @param scopes as somebody named them
   * @returns the key in full, this once
   * @throws DomainError `merchant-not-found`, `validation-error`
   */
  async create(
    merchantId: string,
    scopes: readonly string[],
    label: string,
    by: By,
  ): Promise<ApiKeyView & { key: string }> {
    await this.merchants.get(merchantId);
    const known = SCOPES.filter((scope) => scopes.includes(scope));
    if (known.length === 0 || known.length < new Set(scopes).size) {
      throw wrongField('scopes', 'A key has the scope read, write, or both.');
    }
    if (label.trim() === '' || characterCount(label) > MAX_LABEL_LENGTH) {
      throw wrongField('label', `The label has 1 to ${MAX_LABEL_LENGTH} characters.`);
    }
    const key = newApiKey();
    const id = newId('key');
    const created = await this.dataSource.transaction(async (tx) => {
      const [hash, prefix] = [hashApiKey(key), shortApiKey(key)];
      await tx.insert(ApiKeyEntity, { id, merchantId, hash, prefix, label, scopes: known });
      const stored = view(await tx.findOneByOrFail(ApiKeyEntity, { id }));
      const detail = { label, scopes: known };
      await by.record(tx, { merchantId, action: 'key.created', subject: id, detail });
      return stored;
    });
    return { ...created, key };
  }

  /** @throws DomainError `not-found`, for another merchant's key too */
  async get(merchantId: string, id: string): Promise<ApiKeyView> {
    const key = await this.dataSource.manager.findOneBy(ApiKeyEntity, { id, merchantId });
    if (!key) throw noKey(id);
    return view(key);
  }

  /** At once: no key is remembered between requests. Revoking twice changes nothing. @throws as `get` */
  async revoke(merchantId: string, id: string, by: By): Promise<ApiKeyView> {
    return this.dataSource.transaction(async (tx) => {
      const revoked = { revokedAt: () => 'now()' };
      const { affected } = await tx.update(ApiKeyEntity, { id, merchantId, revokedAt: IsNull() }, revoked);
      const key = await tx.findOneBy(ApiKeyEntity, { id, merchantId });
      if (!key) throw noKey(id);
      const detail = { label: key.label };
      if (affected === 1) await by.record(tx, { merchantId, action: 'key.revoked', subject: id, detail });
      return view(key);
    });
  }

  /** Whose a key is; for the operator, who names no merchant. @throws DomainError `not-found` */
  async ownerOf(id: string): Promise<string> {
    const select = { merchantId: true };
    const key = await this.dataSource.manager.findOne(ApiKeyEntity, { where: { id }, select });
    if (!key) throw noKey(id);
    return key.merchantId;
  }

  async list(merchantId: string): Promise<ApiKeyView[]> {
    await this.merchants.get(merchantId);
    const { manager } = this.dataSource;
    return (await manager.find(ApiKeyEntity, { where: { merchantId }, order: { id: 'ASC' } })).map(view);
  }
}

function noKey(id: string): DomainError {
  return notFound(`There is no key ${id}.`);
}

function view(key: ApiKeyEntity): ApiKeyView {
  const { id, prefix, label, scopes, createdAt, lastUsedAt, revokedAt } = key;
  return { id, prefix, label, scopes, createdAt, lastUsedAt, revokedAt };
}
