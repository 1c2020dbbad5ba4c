import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { On } from '../../../database/statement.js';
import { addressNamed } from '../chains.errors.js';
import type { IssuedAddress, IssuedPlace, WantedAddress } from '../chains.types.js';
import { AddressesRepository } from '../data/addresses/addresses.repository.js';
import { deriveAddress } from '../domain/addresses/derive-address.js';
import { depositSalt, forwarderAddress } from '../domain/forwarder-address.js';
import { NetworksService } from '../networks/networks.service.js';
import { type Taken, WalletsRepository } from './data/wallets.repository.js';

/** Issues addresses, and knows to whom each was issued. */
@Injectable()
export class AddressesService {
  private readonly logger = new Logger(AddressesService.name);

  constructor(
    private readonly wallets: WalletsRepository,
    private readonly rows: AddressesRepository,
    private readonly networks: NetworksService,
  ) {}

  /**
   * A new address for a subject's quote, watched from the commit of `tx` on. A key stays locked until `tx` ends, so keep
   * it short; a rollback may leave a gap, an index is never issued twice. A destination gives each quote one address.
   * An index whose address somebody has named is passed over: a deposit address is known to its buyer alone (ADR 36).
   * @throws DomainError `no-wallet`, `wallet-unsearched`, `address-named` where a destination has no other
   */
  async issue(tx: EntityManager, wanted: WantedAddress): Promise<IssuedAddress> {
    const { subject, confirmationDepth } = wanted;
    for (;;) {
      const taken = await this.wallets.take(tx, wanted.merchantId, wanted.network);
      const { salt, ...issued } = this.addressOf(taken, wanted);
      const { family, watchedAddress } = issued;
      const row = { family, watchedAddress, salt, subject, confirmationDepth };
      if (await this.wallets.issue(tx, taken, row)) return issued;
      if (taken.kind === 'address') throw addressNamed();
      this.logger.log(
        `key ${taken.id}: index ${taken.index} is passed over, its address was named by somebody`,
      );
    }
  }

  private addressOf(taken: Taken, wanted: WantedAddress): IssuedAddress & { readonly salt: string | null } {
    if (taken.kind === 'address') {
      const salt = depositSalt(wanted);
      const address = forwarderAddress(taken.destination, salt);
      return { family: 'evm', address, watchedAddress: address.toLowerCase(), salt };
    }
    const { family, xpub, index } = taken;
    const chain = this.networks.network(wanted.network)?.chain;
    return { family, ...deriveAddress({ family, chain }, xpub, index), salt: null };
  }

  /** To whom of a merchant an address was issued, or whom a transaction paid; nothing for any other text. */
  subjectsKnownBy(merchantId: string, text: string): Promise<string[]> {
    return this.rows.subjectsKnownBy(merchantId, text);
  }

  /** Every address of these subjects with how its merchant finds it, oldest first. */
  issuedTo(subjects: readonly string[], on?: On): Promise<(IssuedPlace & { readonly subject: string })[]> {
    return this.rows.issuedTo(subjects, on);
  }
}
