import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Family } from '../../../../config/config.types.js';
import { isOwnSql } from '../../data/addresses/issuers.sql.js';
import { OwnAddressEntity } from './own-address.entity.js';

const INSERT = `
  INSERT INTO own_address (merchant_id, family, address) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`;

const IS_OWN = `SELECT ${isOwnSql('$1', '$3')} AS own`;

export type OwnAddressKey = Pick<OwnAddressEntity, 'merchantId' | 'family' | 'address'>;

/** The rows of addresses that merchants call their own. */
@Injectable()
export class OwnAddressesRepository {
  constructor(private readonly dataSource: DataSource) {}

  list(merchantId: string): Promise<OwnAddressEntity[]> {
    return this.dataSource.manager.find(OwnAddressEntity, {
      where: { merchantId },
      order: { family: 'ASC', address: 'ASC' },
    });
  }

  lock(tx: EntityManager, key: OwnAddressKey): Promise<OwnAddressEntity | null> {
    return tx.findOne(OwnAddressEntity, { where: key, lock: { mode: 'pessimistic_write' } });
  }

  /** Whether what an address sends is the merchant's own movement. @param address as the chains write it */
  async isOwn(
    merchantId: string,
    family: Family,
    address: string,
    on: DataSource | EntityManager = this.dataSource,
  ): Promise<boolean> {
    const [{ own }] = await on.query<[{ own: boolean }]>(IS_OWN, [merchantId, family, address]);
    return own;
  }

  /** @returns `false` where it is there already */
  async insert(tx: EntityManager, { merchantId, family, address }: OwnAddressKey): Promise<boolean> {
    return (await tx.query<unknown[]>(INSERT, [merchantId, family, address])).length > 0;
  }

  async remove(tx: EntityManager, key: OwnAddressKey): Promise<void> {
    await tx.delete(OwnAddressEntity, key);
  }
}
