import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Address, getAddress } from 'viem';
import { newId } from '../../../../kernel/ids.js';
import { issuedDestination } from '../../chains.errors.js';
import { AddressesRepository } from '../../data/addresses/addresses.repository.js';
import { forwarderFactory } from '../../forwarders.types.js';
import type { AddressWallet, DestinationView, Wallet } from '../../wallets.types.js';
import { type RecordWallet, WalletsRepository } from './wallets.repository.js';

const FACTORY = forwarderFactory.address.toLowerCase();

const DESTINATIONS = `
  SELECT d.id, d.address, d.created_at AS "createdAt",
         ARRAY (SELECT w.network FROM wallet w WHERE w.destination_id = d.id ORDER BY w.network) AS networks
  FROM destination d WHERE d.merchant_id = $1 ORDER BY d.created_at, d.id`;

/** Addresses that merchants gave to be paid to. */
@Injectable()
export class DestinationsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly wallets: WalletsRepository,
    private readonly addresses: AddressesRepository,
  ) {}

  /** The merchant's, in the order in which they came. */
  async list(merchantId: string): Promise<DestinationView[]> {
    const rows = await this.dataSource.query<(DestinationView & { address: Address })[]>(DESTINATIONS, [
      merchantId,
    ]);
    return rows.map((row) => ({ ...row, address: getAddress(row.address) }));
  }

  /** @throws DomainError `invalid-destination` where it was given to a buyer */
  async set(
    merchantId: string,
    network: string,
    destination: Address,
    record: RecordWallet<Wallet | null, AddressWallet>,
  ): Promise<AddressWallet> {
    return this.dataSource.transaction(async (tx) => {
      if (await this.addresses.isIssuedForGood(tx, 'evm', destination.toLowerCase()))
        throw issuedDestination();
      const before = await this.wallets.find(merchantId, network, tx);
      const destinationId = await this.own(tx, merchantId, destination);
      await this.wallets.put(tx, merchantId, network, { destinationId });
      const after = await this.wallets.find(merchantId, network, tx);
      if (after?.kind !== 'address') throw new Error('a wallet that was just set is another');
      await record(tx, before, after);
      return after;
    });
  }

  private async own(tx: EntityManager, merchantId: string, destination: Address): Promise<string> {
    const values = [merchantId, destination.toLowerCase(), FACTORY];
    await tx.query(
      'INSERT INTO destination (id, merchant_id, address, factory) VALUES ($4, $1, $2, $3) ON CONFLICT DO NOTHING',
      [...values, newId('dst')],
    );
    const [{ id }] = await tx.query<[{ id: string }]>(
      'SELECT id FROM destination WHERE merchant_id = $1 AND address = $2 AND factory = $3',
      values,
    );
    return id;
  }
}
