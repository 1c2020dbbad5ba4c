import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config, type Family } from '../../../config/config.types.js';
import type { By } from '../../../database/by.js';
import { invalidOwnAddress, noOwnAddress, ownAddressInUse, unknownNetwork } from '../chains.errors.js';
import { AddressesRepository } from '../data/addresses/addresses.repository.js';
import { payerAddress } from '../domain/addresses/payer-address.js';
import { OwnAddressesRepository, type OwnAddressKey } from './data/own-addresses.repository.js';

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

/** Addresses that a merchant calls its own, beside those that were issued for it. */
@Injectable()
export class OwnAddressesService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly dataSource: DataSource,
    private readonly rows: OwnAddressesRepository,
    private readonly addresses: AddressesRepository,
  ) {}

  list(merchantId: string): Promise<OwnAddress[]> {
    return this.rows.list(merchantId);
  }

  /**
   * From now on; what was recorded before stays what it was. Again changes nothing.
   * @throws DomainError `unknown-network`, `invalid-own-address`, `own-address-in-use`
   */
  async add(wanted: Wanted, by: By): Promise<OwnAddress> {
    const key = this.keyOf(wanted);
    return this.dataSource.transaction(async (tx) => {
      if (await this.addresses.isIssuedForGood(tx, key.family, key.address)) throw ownAddressInUse();
      const isNew = await this.rows.insert(tx, key);
      const own = await this.find(tx, key);
      if (isNew) await record(tx, by, 'wallet.own-added', wanted.network, own);
      return own;
    });
  }

  /** @throws DomainError `unknown-network`, `invalid-own-address`, `no-own-address` */
  async remove(wanted: Wanted, by: By): Promise<OwnAddress> {
    const key = this.keyOf(wanted);
    return this.dataSource.transaction(async (tx) => {
      const own = await this.find(tx, key);
      await this.rows.remove(tx, key);
      await record(tx, by, 'wallet.own-removed', wanted.network, own);
      return own;
    });
  }

  private async find(tx: EntityManager, key: OwnAddressKey): Promise<OwnAddress> {
    const own = await this.rows.lock(tx, key);
    if (!own) throw noOwnAddress();
    return own;
  }

  private keyOf({ merchantId, network: id, address: text }: Wanted): OwnAddressKey {
    const network = this.config.networks.find((candidate) => candidate.id === id);
    if (!network) throw unknownNetwork(id);
    const address = payerAddress(network, text.trim());
    if (address === null) throw invalidOwnAddress(network.name);
    return { merchantId, family: network.family, address };
  }
}

function record(
  tx: EntityManager,
  by: By,
  action: 'wallet.own-added' | 'wallet.own-removed',
  subject: string,
  { merchantId, address }: OwnAddress,
): Promise<void> {
  return by.record(tx, { merchantId, action, subject, detail: { address } });
}
