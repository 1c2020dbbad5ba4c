import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../accounts/accounts.types.js';
import { AuditLog } from '../accounts/audit/audit-log.service.js';
import { ChainsService } from '../chains/chains.service.js';
import type {
  AddressWallet,
  DestinationPreview,
  KeyWallet,
  Wallet,
  WalletSet,
} from '../chains/chains.types.js';
import { DestinationsService, type WantedDestination } from '../chains/destinations.service.js';
import { OwnAddressesService, type OwnAddress } from '../chains/own-addresses.service.js';
import {
  WalletRecoveryService,
  type Recovery,
  type WantedRecovery,
} from '../chains/wallet-recovery.service.js';

/**
 * Changes of where a merchant is paid, with a record of who made them. A key is named by its id, because the log is read;
 * an address by itself.
 */
@Injectable()
export class WalletChangesService {
  constructor(
    private readonly chains: ChainsService,
    private readonly destinations: DestinationsService,
    private readonly ownAddresses: OwnAddressesService,
    private readonly recovery: WalletRecoveryService,
    private readonly audit: AuditLog,
  ) {}

  /** @throws DomainError as `ChainsService.setWallet` */
  set(wanted: { merchantId: string; network: string; xpub: string }, actor: Actor): Promise<WalletSet> {
    const { merchantId, network } = wanted;
    return this.chains.setWallet(wanted, async (tx, before, after, scan) => {
      const { nextIndex } = after;
      const isSame = before?.kind === 'extended-key' && before.nextIndex === nextIndex;
      if (isSame && before.extendedKeyId === after.extendedKeyId) return;
      const searched = this.chains.told(scan).sentences.join(' ');
      const detail = { ...changeOf(before, after), nextIndex, searched };
      await this.audit.record(tx, actor, { merchantId, action: 'wallet.set', subject: network, detail });
    });
  }

  /** @throws DomainError as `DestinationsService.set` */
  setAddress(wanted: WantedDestination, actor: Actor): Promise<AddressWallet & DestinationPreview> {
    const { merchantId, network: subject } = wanted;
    return this.destinations.set(wanted, async (tx, before, after) => {
      if (before?.changes === after.changes) return;
      const detail = changeOf(before, after);
      await this.audit.record(tx, actor, { merchantId, action: 'wallet.set', subject, detail });
    });
  }

  /** @throws DomainError as `ChainsService.skipIndexes` */
  skip(wanted: { merchantId: string; network: string; to: number }, actor: Actor): Promise<KeyWallet> {
    const { merchantId, network } = wanted;
    return this.chains.skipIndexes(wanted, async (tx, before, after) => {
      const detail = { key: after.extendedKeyId, before: before.nextIndex, after: after.nextIndex };
      if (detail.before === detail.after) return;
      await this.audit.record(tx, actor, { merchantId, action: 'wallet.skipped', subject: network, detail });
    });
  }

  /** @throws DomainError as `WalletRecoveryService.recover` */
  recover(wanted: WantedRecovery, actor: Actor): Promise<Recovery[]> {
    return this.recovery.recover(wanted, async (tx, { merchantId, networks, ...recovery }) => {
      const { extendedKeyId: key, before, after, scan } = recovery;
      const detail = { key, before, after, searched: this.chains.told(scan).sentences.join(' ') };
      const subject = networks.join(', ');
      await this.audit.record(tx, actor, { merchantId, action: 'wallet.recovered', subject, detail });
    });
  }

  /** @throws DomainError as `OwnAddressesService.add` */
  addOwn(
    wanted: { merchantId: string; network: string; address: string },
    actor: Actor,
  ): Promise<OwnAddress> {
    return this.ownAddresses.add(wanted, this.recordOwn('wallet.own-added', wanted, actor));
  }

  /** @throws DomainError as `OwnAddressesService.remove` */
  removeOwn(
    wanted: { merchantId: string; network: string; address: string },
    actor: Actor,
  ): Promise<OwnAddress> {
    return this.ownAddresses.remove(wanted, this.recordOwn('wallet.own-removed', wanted, actor));
  }

  private recordOwn(
    action: 'wallet.own-added' | 'wallet.own-removed',
    wanted: { merchantId: string; network: string },
    actor: Actor,
  ) {
    const { merchantId, network: subject } = wanted;
    return (tx: EntityManager, { address }: OwnAddress) =>
      this.audit.record(tx, actor, { merchantId, action, subject, detail: { address } });
  }
}

/** The number of the change is text, so that mail says it too: an owner who counts along sees that one is missing. */
function changeOf(before: Wallet | null, after: Wallet) {
  return { before: before && nameOf(before), after: nameOf(after), change: String(after.changes) };
}

function nameOf(wallet: Wallet): string {
  return wallet.kind === 'address' ? wallet.destination : wallet.extendedKeyId;
}
