import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config, type Family, type NetworkConfig } from '../../config/config.types.js';
import { invalidOwnAddress, noOwnAddress, ownAddressInUse, unknownNetwork } from './chains.errors.js';
import { ISSUERS } from './data/issuers.sql.js';
import { payerAddress } from './domain/addresses/payer-address.js';

/** What it sends is no payment to its merchant, on any network of the family. */
export interface OwnAddress {
  readonly merchantId: string;
  readonly family: Family;
  /** As the chains write it (EVM: lower case). */
  readonly address: string;
  readonly createdAt: Date;
}

interface Wanted {
  readonly merchantId: string;
  readonly network: string;
  readonly address: string;
}

type Record = (tx: EntityManager, own: OwnAddress) => Promise<void>;

const COLUMNS = 'merchant_id AS "merchantId", family, address, created_at AS "createdAt"';

/** Addresses that a merchant calls its own, beside those that were issued for it. */
@Injectable()
export class OwnAddressesService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly dataSource: DataSource,
  ) {}

  list(merchantId: string): Promise<OwnAddress[]> {
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM own_address WHERE merchant_id = $1 ORDER BY family, address`,
      [merchantId],
    );
  }

  /**
   * From now on; what was recorded before stays what it was. Again changes nothing.
   * @param record in the same transaction, if anything changes
   * @throws DomainError `unknown-network`, `invalid-own-address`, `own-address-in-use`
   */
  async add(wanted: Wanted, record: Record): Promise<OwnAddress> {
    const { family, address } = this.read(wanted);
    const key = [wanted.merchantId, family, address];
    return this.dataSource.transaction(async (tx) => {
      const [issued] = await tx.query<[{ elsewhere: boolean }]>(
        `SELECT EXISTS (SELECT FROM address a
                         JOIN ${ISSUERS} k ON k.id = coalesce(a.extended_key_id, a.destination_id)
                         WHERE k.merchant_id <> $1 AND a.family = $2 AND a.address = $3) AS elsewhere`,
        key,
      );
      if (issued.elsewhere) throw ownAddressInUse();
      const [added] = await tx.query<OwnAddress[]>(
        `INSERT INTO own_address (merchant_id, family, address) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
        key,
      );
      if (added) await record(tx, added);
      return added ?? (await this.find(tx, key));
    });
  }

  /** @throws DomainError `unknown-network`, `invalid-own-address`, `no-own-address` */
  async remove(wanted: Wanted, record: Record): Promise<OwnAddress> {
    const { family, address } = this.read(wanted);
    const key = [wanted.merchantId, family, address];
    return this.dataSource.transaction(async (tx) => {
      const own = await this.find(tx, key);
      await tx.query(`DELETE FROM own_address WHERE merchant_id = $1 AND family = $2 AND address = $3`, key);
      await record(tx, own);
      return own;
    });
  }

  private async find(tx: EntityManager, key: readonly string[]): Promise<OwnAddress> {
    const [own] = await tx.query<OwnAddress[]>(
      `SELECT ${COLUMNS} FROM own_address WHERE merchant_id = $1 AND family = $2 AND address = $3 FOR UPDATE`,
      [...key],
    );
    if (!own) throw noOwnAddress();
    return own;
  }

  private read({ network: id, address: text }: Wanted): Pick<NetworkConfig, 'family'> & { address: string } {
    const network = this.config.networks.find((candidate) => candidate.id === id);
    if (!network) throw unknownNetwork(id);
    const address = payerAddress(network, text.trim());
    if (address === null) throw invalidOwnAddress(network.name);
    return { family: network.family, address };
  }
}
