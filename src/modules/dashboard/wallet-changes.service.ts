import { Injectable } from '@nestjs/common';
import type { Actor } from '../accounts/accounts.types.js';
import { AuditLog } from '../accounts/audit-log.service.js';
import { ChainsService } from '../chains/chains.service.js';
import type { Wallet } from '../chains/chains.types.js';

/** Changes of where a merchant is paid, with a record of who made them. A key is named by its id: the log is read. */
@Injectable()
export class WalletChangesService {
  constructor(
    private readonly chains: ChainsService,
    private readonly audit: AuditLog,
  ) {}

  /** @throws DomainError as `ChainsService.setWallet` */
  set(wanted: { merchantId: string; network: string; xpub: string }, actor: Actor): Promise<Wallet> {
    const { merchantId, network } = wanted;
    return this.chains.setWallet(wanted, async (tx, before, { extendedKeyId: after }) => {
      const detail = { before: before?.extendedKeyId ?? null, after };
      if (detail.before === after) return;
      await this.audit.record(tx, actor, { merchantId, action: 'wallet.set', subject: network, detail });
    });
  }

  /** @throws DomainError as `ChainsService.skipIndexes` */
  skip(wanted: { merchantId: string; network: string; to: number }, actor: Actor): Promise<Wallet> {
    const { merchantId, network } = wanted;
    return this.chains.skipIndexes(wanted, async (tx, before, after) => {
      const detail = { key: after.extendedKeyId, before: before.nextIndex, after: after.nextIndex };
      if (detail.before === detail.after) return;
      await this.audit.record(tx, actor, { merchantId, action: 'wallet.skipped', subject: network, detail });
    });
  }
}
