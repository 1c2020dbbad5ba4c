import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';
import { newId } from '../../kernel/ids.js';
import { MerchantsService } from '../merchants/merchants.service.js';
import { SCOPES, type ApiKeyView, type Scope } from './auth.types.js';
import { ApiKeyEntity } from './data/api-key.entity.js';
import { hashApiKey, newApiKey, shortApiKey } from './domain/api-key.js';

const MAX_LABEL_LENGTH = 100;

/** Issues, lists and revokes keys. Several may be active at once, which is how a key is rotated. */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly merchants: MerchantsService,
  ) {}

  /**
   * Also before approval: the key then works from the moment of approval on.
   * @returns the key in full, this once
   * @throws DomainError `merchant-not-found`, `validation-error`
   */
  async create(
    merchantId: string,
    scopes: readonly Scope[],
    label: string,
  ): Promise<ApiKeyView & { key: string }> {
    await this.merchants.get(merchantId);
    const known = SCOPES.filter((scope) => scopes.includes(scope));
    if (known.length === 0 || known.length < new Set(scopes).size) {
      throw new DomainError('invalid', 'validation-error', 'scopes are read, write, or both.');
    }
    if (label.trim() === '' || label.length > MAX_LABEL_LENGTH) {
      throw new DomainError('invalid', 'validation-error', `label has 1 to ${MAX_LABEL_LENGTH} characters.`);
    }
    const key = newApiKey();
    const id = newId('key');
    await this.keys.insert({
      id,
      merchantId,
      hash: hashApiKey(key),
      prefix: shortApiKey(key),
      label,
      scopes: known,
    });
    return { ...view(await this.keys.findOneByOrFail({ id })), key };
  }

  /** At once: no key is remembered between requests. Revoking twice changes nothing. */
  async revoke(id: string): Promise<ApiKeyView> {
    await this.keys.update({ id, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
    const key = await this.keys.findOneBy({ id });
    if (!key) throw new DomainError('not_found', 'not-found', `There is no key ${id}.`);
    return view(key);
  }

  async list(merchantId: string): Promise<ApiKeyView[]> {
    await this.merchants.get(merchantId);
    return (await this.keys.find({ where: { merchantId }, order: { id: 'ASC' } })).map(view);
  }
}

function view(key: ApiKeyEntity): ApiKeyView {
  const { id, prefix, label, scopes, createdAt, lastUsedAt, revokedAt } = key;
  return { id, prefix, label, scopes, createdAt, lastUsedAt, revokedAt };
}
