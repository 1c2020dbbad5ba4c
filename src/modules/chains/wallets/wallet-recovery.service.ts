import { Injectable } from '@nestjs/common';
import type { By } from '../../../database/by.js';
import { noWallet } from '../chains.errors.js';
import type { Family } from '../chains.types.js';
import { LAST_INDEX } from '../domain/addresses/last-index.js';
import { lastUsed, stillUnsearched } from '../domain/wallet-scan.js';
import { ReconciliationRepository } from '../reconciliation/data/reconciliation.repository.js';
import type { ScanLimits, UsedIndex, WalletScan } from '../wallet-scan.types.js';
import { ExtendedKeysRepository, type KeyInUse } from './data/extended-keys.repository.js';
import { WalletsRepository } from './data/wallets.repository.js';
import { WalletScanner } from './scan/wallet-scanner.js';

/** An operator waits: long enough for a look through the unspent outputs of a large chain. */
const WHILE_RECOVERING: ScanLimits = { gap: 100, indexes: 20_000, timeoutMs: 900_000 };
/** So many indexes behind the next one are looked at again: what an earlier recovery or skip passed over. */
const BEHIND = 1_000;

/** An index that was used and never issued here. */
export interface RecoveredIndex extends UsedIndex {
  /** Whether somebody here is paid out to its address or has called it own: what lies there is theirs, and no difference. */
  readonly isNamed: boolean;
}

/** A key after a database that may have forgotten addresses, and what the chains know of its indexes. */
export interface Recovery {
  readonly merchantId: string;
  readonly extendedKeyId: string;
  readonly family: Family;
  /** Networks that are paid to it. */
  readonly networks: readonly string[];
  /** The next index as it was, and as it is now. */
  readonly before: number;
  readonly after: number;
  /** Used indexes in it were never issued by this database: money there belongs to no quote that it knows. */
  readonly scan: Omit<WalletScan, 'used'> & { readonly used: readonly RecoveredIndex[] };
}

export interface WantedRecovery {
  /** All merchants where none is named. */
  readonly merchantId?: string | undefined;
  readonly network?: string | undefined;
  /** So many more indexes are passed over: for addresses that were issued, forgotten, and not paid yet. */
  readonly beyond: number;
}

/** Finds what a restored database, or a replica that took over, no longer knows to have issued (ADR 36). */
@Injectable()
export class WalletRecoveryService {
  constructor(
    private readonly extendedKeys: ExtendedKeysRepository,
    private readonly wallets: WalletsRepository,
    private readonly scanner: WalletScanner,
    private readonly reconciliation: ReconciliationRepository,
  ) {}

  /**
   * Moves the next index of keys behind all that were issued or used, and `beyond` further. It never goes back, and a
   * second time changes nothing while nothing is issued or paid in between.
   * @throws DomainError `no-wallet` where no wallet is meant
   */
  async recover(wanted: WantedRecovery, by: By): Promise<Recovery[]> {
    const { merchantId = null, network = null } = wanted;
    const keys = await this.extendedKeys.inUse(merchantId, network);
    // Deposit addresses for a destination have no indexes to forget: each follows from its intent.
    if (keys.length === 0 && !(await this.wallets.exists(merchantId, network)))
      throw noWallet(network ?? 'any network');
    const recoveries: Recovery[] = [];
    // One after the other: each may make a node look through all that it has.
    for (const key of keys) recoveries.push(await this.recoverOne(key, wanted.beyond, by));
    return recoveries;
  }

  private async recoverOne(
    { id: extendedKeyId, merchantId, family, xpub, firstIndex, nextIndex, networks }: KeyInUse,
    beyond: number,
    by: By,
  ): Promise<Recovery> {
    const from = Math.max(firstIndex, nextIndex - BEHIND);
    const issued = new Set(await this.extendedKeys.issuedFrom(extendedKeyId, from));
    const key = { family, xpub, from, known: nextIndex };
    const scan = await this.scanner.scan(key, WHILE_RECOVERING, issued);
    const last = Math.max(lastUsed(scan) ?? -1, from - 1, ...issued);
    const to = Math.min(Math.max(nextIndex, last + 1 + beyond), LAST_INDEX);
    const used = await this.withNamed(family, scan.used);
    const about = { merchantId, extendedKeyId, family, networks, scan: { ...scan, used } };
    const asked = scan.networks.map((one) => one.network);
    const unsearched = stillUnsearched(scan, asked, asked);
    return this.extendedKeys.moveOn(extendedKeyId, to, unsearched, async (tx, before, after) => {
      if (before !== after) {
        const searched = this.scanner.told(scan).sentences.join(' ');
        const detail = { key: extendedKeyId, before, after, searched };
        const subject = networks.join(', ');
        await by.record(tx, { merchantId, action: 'wallet.recovered', subject, detail });
      }
      return { ...about, before, after };
    });
  }

  private async withNamed(family: Family, used: readonly UsedIndex[]): Promise<RecoveredIndex[]> {
    // As the chains write it, and the scan does not.
    const written = (address: string) => (family === 'evm' ? address.toLowerCase() : address);
    const named = await this.reconciliation.named(
      family,
      used.map(({ address }) => written(address)),
    );
    return used.map((one) => ({ ...one, isNamed: named.has(written(one.address)) }));
  }
}
