import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { By } from '../../database/by.js';
import { DomainError, notFound, wrongField } from '../../kernel/domain-error.js';
import { newId } from '../../kernel/ids.js';
import { characterCount } from '../../kernel/text/character-count.js';
import { MerchantsService } from '../merchants/merchants.service.js';
import { type ApiKeyView, SCOPES } from './auth.types.js';
import { ApiKeysRepository } from './data/api-keys.repository.js';
import { hashApiKey, newApiKey, shortApiKey } from './domain/api-key.js';

export const MAX_LABEL_LENGTH = 100;

/** Issues, lists and revokes keys. Several may be active at once, which is how a key is rotated. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: ApiKeysRepository,
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
      const stored = await this.keys.insert(tx, { id, merchantId, hash, prefix, label, scopes: known });
      const detail = { label, scopes: known };
      await by.record(tx, { merchantId, action: 'key.created', subject: id, detail });
      return stored;
    });
    return { ...view(created), key };
  }

  /** @throws DomainError `not-found`, for another merchant's key too */
  async get(merchantId: string, id: string): Promise<ApiKeyView> {
    const key = await this.keys.find(merchantId, id);
    if (!key) throw noKey(id);
    return view(key);
  }

  /** At once: no key is remembered between requests. Revoking twice changes nothing. @throws as `get` */
  async revoke(merchantId: string, id: string, by: By): Promise<ApiKeyView> {
    return this.dataSource.transaction(async (tx) => {
      const isRevoked = await this.keys.revoke(tx, merchantId, id);
      const key = await this.keys.find(merchantId, id, tx);
      if (!key) throw noKey(id);
      const detail = { label: key.label };
      if (isRevoked) await by.record(tx, { merchantId, action: 'key.revoked', subject: id, detail });
      return view(key);
    });
  }

  /** Whose a key is; for the operator, who names no merchant. @throws DomainError `not-found` */
  async ownerOf(id: string): Promise<string> {
    const owner = await this.keys.ownerOf(id);
    if (owner === null) throw noKey(id);
    return owner;
  }

  async list(merchantId: string): Promise<ApiKeyView[]> {
    await this.merchants.get(merchantId);
    return (await this.keys.list(merchantId)).map(view);
  }
}

function noKey(id: string): DomainError {
  return notFound(`There is no key ${id}.`);
}

function view(key: ApiKeyView): ApiKeyView {
  const { id, prefix, label, scopes, createdAt, lastUsedAt, revokedAt } = key;
  return { id, prefix, label, scopes, createdAt, lastUsedAt, revokedAt };
}
