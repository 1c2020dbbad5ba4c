import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, type NetworkConfig } from '../../../config/config.types.js';
import type { By } from '../../../database/by.js';
import type { TypedNumber } from '../../../kernel/text/typed-number.js';
import { indexBehind, invalidIndex, unknownNetwork } from '../chains.errors.js';
import type { IssuedFrom } from '../chains.types.js';
import { AddressesRepository } from '../data/addresses/addresses.repository.js';
import { deriveAddress } from '../domain/addresses/derive-address.js';
import { type ExtendedKey, parseExtendedKey } from '../domain/addresses/extended-key.js';
import { LAST_INDEX } from '../domain/addresses/last-index.js';
import { walletChange } from '../domain/wallet-change.js';
import { firstUnused, isAnswered, stillUnsearched } from '../domain/wallet-scan.js';
import type { WalletScan } from '../wallet-scan.types.js';
import type { ExtendedKeyView, KeyWallet, WalletPreview, WalletSet } from '../wallets.types.js';
import { ExtendedKeysRepository } from './data/extended-keys.repository.js';
import { WalletsRepository } from './data/wallets.repository.js';
import { WalletScanner, WHILE_SETTING } from './scan/wallet-scanner.js';
import { WalletSearchService } from './wallet-search.service.js';

/** So many first addresses are compared with the wallet before a key is set. */
const COMPARED = [0, 1, 2] as const;

interface WantedWallet {
  readonly merchantId: string;
  readonly network: string;
  readonly xpub: string;
}

/** Wallets whose addresses are derived from an extended public key. */
@Injectable()
export class ExtendedKeysService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly wallets: WalletsRepository,
    private readonly extendedKeys: ExtendedKeysRepository,
    private readonly addresses: AddressesRepository,
    private readonly scanner: WalletScanner,
    private readonly search: WalletSearchService,
  ) {}

  /**
   * Sets which key a merchant is paid to on a network, behind every index that was used before. On networks whose node
   * does not tell within some seconds nothing is issued until it has (ADR 36). The same key again changes nothing
   * else, and its index never goes back.
   * @throws DomainError `unknown-network`, `private-key-refused`, `invalid-extended-key`, `wallet-key-in-use`
   */
  async set(wanted: WantedWallet, by: By): Promise<WalletSet> {
    const { network, key } = this.readKey(wanted);
    const { nextIndex: from } = await this.extendedKeys.standingOf(wanted.merchantId, network.id, key);
    const scan = await this.scanner.scan({ ...key, from }, WHILE_SETTING);
    const family = this.config.networks.filter((one) => one.family === key.family).map(({ id }) => id);
    const wallet = await this.wallets.set(
      wanted.merchantId,
      network.id,
      key,
      family,
      {
        firstUnused: firstUnused(scan),
        unsearched: (before, next) => stillUnsearched(scan, before, family, next),
      },
      async (tx, before, after) => {
        const { nextIndex } = after;
        const isSame = before?.kind === 'extended-key' && before.extendedKeyId === after.extendedKeyId;
        if (isSame && before.nextIndex === nextIndex) return;
        const { merchantId, network: subject } = wanted;
        const searched = this.scanner.told(scan).sentences.join(' ');
        const detail = { ...walletChange(before, after), nextIndex, searched };
        await by.record(tx, { merchantId, action: 'wallet.set', subject, detail });
      },
    );
    if (!isAnswered(scan)) this.search.wake(key.family);
    return { ...wallet, addresses: comparedAddresses(network, key), scan };
  }

  /**
   * What `set` would do, for comparing with the wallet. Changes nothing.
   * @throws DomainError as `set`
   */
  async preview(wanted: WantedWallet): Promise<WalletPreview> {
    const { network, key } = this.readKey(wanted);
    const standing = await this.extendedKeys.standingOf(wanted.merchantId, network.id, key);
    const addresses = comparedAddresses(network, key);
    const scan = await this.scanner.scan({ ...key, from: standing.nextIndex }, WHILE_SETTING);
    const nextIndex = Math.max(standing.nextIndex, firstUnused(scan));
    return { xpub: key.xpub, addresses, ...standing, nextIndex, scan };
  }

  /** What a search for used indexes found, and what it could not learn: a sentence each. */
  told(scan: WalletScan): { isAnswered: boolean; sentences: string[] } {
    return this.scanner.told(scan);
  }

  /** The merchant's keys, also those that were replaced; in the order in which they came. */
  list(merchantId: string): Promise<ExtendedKeyView[]> {
    return this.extendedKeys.list(merchantId);
  }

  /** What a key of this merchant has issued, the latest first. @param before an index: only smaller ones */
  issuedFrom(merchantId: string, keyId: string, before: number | null, limit: number): Promise<IssuedFrom[]> {
    return this.addresses.issuedFrom(merchantId, keyId, before, limit);
  }

  /**
   * Continues at index `to`, on every network that shares the key: for a restored backup that is behind.
   * @throws DomainError `no-wallet`, `no-key-wallet`, `invalid-index`, `index-behind`
   */
  async skip(
    { merchantId, network, to }: { merchantId: string; network: string; to: TypedNumber },
    by: By,
  ): Promise<KeyWallet> {
    if (to === 'unreadable' || !Number.isInteger(to) || to < 0 || to > LAST_INDEX) throw invalidIndex();
    const wallet = await this.wallets.skip(merchantId, network, to, async (tx, before, after) => {
      const detail = { key: after.extendedKeyId, before: before.nextIndex, after: after.nextIndex };
      if (detail.before === detail.after) return;
      await by.record(tx, { merchantId, action: 'wallet.skipped', subject: network, detail });
    });
    if (wallet.nextIndex > to) throw indexBehind(wallet.nextIndex);
    return wallet;
  }

  private readKey({ network: id, xpub }: WantedWallet): { network: NetworkConfig; key: ExtendedKey } {
    const network = this.config.networks.find((one) => one.id === id);
    if (!network) throw unknownNetwork(id);
    return { network, key: parseExtendedKey(xpub, network.family, network.chain) };
  }
}

/** What a person compares with their wallet before they trust a key. */
function comparedAddresses(network: NetworkConfig, { xpub }: ExtendedKey): string[] {
  return COMPARED.map((index) => deriveAddress(network, xpub, index).address);
}
