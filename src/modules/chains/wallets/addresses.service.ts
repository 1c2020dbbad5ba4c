import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { IssuedAddress, IssuedPlace, WantedAddress } from '../chains.types.js';
import { AddressesRepository } from '../data/addresses/addresses.repository.js';
import { deriveAddress } from '../domain/addresses/derive-address.js';
import { depositSalt, forwarderAddress } from '../domain/forwarder-address.js';
import { NetworksService } from '../networks/networks.service.js';
import { WalletsRepository } from './data/wallets.repository.js';

/** Issues addresses, and knows to whom each was issued. */
@Injectable()
export class AddressesService {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly rows: AddressesRepository,
    private readonly networks: NetworksService,
  ) {}

  /**
   * A new address for a subject's quote, watched from the commit of `tx` on. A key stays locked until `tx` ends, so keep
   * it short; a rollback may leave a gap, an index is never issued twice. A destination gives each quote one address.
   * @throws DomainError `no-wallet`, `wallet-unsearched`
   */
  async issue(tx: EntityManager, wanted: WantedAddress): Promise<IssuedAddress> {
    const { subject, confirmationDepth } = wanted;
    const taken = await this.wallets.take(tx, wanted.merchantId, wanted.network);
    if (taken.kind === 'address') {
      const salt = depositSalt(wanted);
      const address = forwarderAddress(taken.destination, salt);
      const issued = { family: 'evm', watchedAddress: address.toLowerCase() } as const;
      await this.wallets.issue(tx, taken, { ...issued, salt, subject, confirmationDepth });
      return { ...issued, address };
    }
    const { family, xpub, index } = taken;
    const chain = this.networks.network(wanted.network)?.chain;
    const { address, watchedAddress } = deriveAddress({ family, chain }, xpub, index);
    const issued = { family, watchedAddress, salt: null, subject, confirmationDepth };
    await this.wallets.issue(tx, taken, issued);
    return { family, address, watchedAddress };
  }

  /** To whom an address was issued, or whom a transaction paid; nothing for any other text. */
  subjectsKnownBy(text: string): Promise<string[]> {
    return this.rows.subjectsKnownBy(text);
  }

  /** Every address of these subjects with how its merchant finds it, oldest first. */
  issuedTo(subjects: readonly string[]): Promise<(IssuedPlace & { readonly subject: string })[]> {
    return this.rows.issuedTo(subjects);
  }
}
