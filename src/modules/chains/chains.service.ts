import { Inject, Injectable } from '@nestjs/common';
import type { Subject } from 'rxjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type AssetConfig, type Config, type NetworkConfig } from '../../config/config.types.js';
import type { By } from '../../database/by.js';
import { readClock } from '../../database/clock.js';
import { indexBehind, invalidIndex, unknownNetwork } from './chains.errors.js';
import { ChainsJobs } from './chains.jobs.js';
import type {
  ExtendedKeyView,
  FactBacklog,
  FactChange,
  Facts,
  IssuedAddress,
  IssuedFrom,
  IssuedPlace,
  KeyWallet,
  NetworkHealth,
  Place,
  Wallet,
  WalletPreview,
  WalletSet,
  WatcherStats,
} from './chains.types.js';
import { AddressBook } from './data/address-book.js';
import { BalancesRepository } from './data/balances.repository.js';
import { FactsRepository } from './data/facts.repository.js';
import { LedgerRepository } from './data/ledger.repository.js';
import { WalletsRepository } from './wallets/data/wallets.repository.js';
import { deriveAddress } from './domain/addresses/derive-address.js';
import { parseExtendedKey, type ExtendedKey } from './domain/addresses/extended-key.js';
import { depositSalt, forwarderAddress } from './domain/forwarder-address.js';
import { closedAssets, networkState } from './domain/network-state.js';
import { LAST_INDEX } from './domain/addresses/last-index.js';
import { paymentUris, type PaymentUris } from './domain/addresses/payment-uri.js';
import { transferCall } from './domain/addresses/transfer-call.js';
import { GasPrices } from './evm/gas-prices.js';
import type { TransferCall } from './outgoing.types.js';
import { readAddress } from './domain/addresses/read-address.js';
import { walletChange } from './domain/wallet-change.js';
import { firstUnused, isAnswered, stillUnsearched } from './domain/wallet-scan.js';
import type { WalletScan } from './wallet-scan.types.js';
import { WalletScanner, WHILE_SETTING } from './wallets/scan/wallet-scanner.js';
import { WalletSearchService } from './wallets/wallet-search.service.js';

/** So many first addresses are compared with the wallet before a key is set. */
const COMPARED = [0, 1, 2] as const;
const CATCH_UP_POLL_MS = 100;

interface WantedWallet {
  readonly merchantId: string;
  readonly network: string;
  readonly xpub: string;
}

/** All that other modules may do with the chains: they issue addresses and read facts; the chains never call back. */
@Injectable()
export class ChainsService {
  /** Facts were committed in this process; other instances' are found by asking for `changes`. */
  readonly changed: Subject<void>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly dataSource: DataSource,
    private readonly walletRows: WalletsRepository,
    private readonly factRows: FactsRepository,
    private readonly addresses: AddressBook,
    private readonly jobs: ChainsJobs,
    private readonly scanner: WalletScanner,
    private readonly search: WalletSearchService,
    private readonly balances: BalancesRepository,
    private readonly gasPrices: GasPrices,
    ledger: LedgerRepository,
  ) {
    this.changed = ledger.changed;
  }

  networks(): readonly NetworkConfig[] {
    return this.config.networks;
  }

  network(id: string): NetworkConfig | null {
    return this.config.networks.find((network) => network.id === id) ?? null;
  }

  /** What people call it; its id where it is configured no more. */
  networkName(id: string): string {
    return this.network(id)?.name ?? id;
  }

  asset(networkId: string, symbol: string): AssetConfig | null {
    return this.network(networkId)?.assets.find((asset) => asset.symbol === symbol) ?? null;
  }

  wallets(merchantId: string): Promise<Wallet[]> {
    return this.walletRows.list(merchantId);
  }

  /** Networks of this instance on which the merchant can be paid. */
  async walletNetworks(merchantId: string): Promise<string[]> {
    const wallets = await this.walletRows.list(merchantId);
    return wallets.map((wallet) => wallet.network).filter((network) => this.network(network) !== null);
  }

  /**
   * Sets which key a merchant is paid to on a network, behind every index that was used before. On networks whose node
   * does not tell within some seconds nothing is issued until it has (ADR 36). The same key again changes nothing
   * else, and its index never goes back.
   * @throws DomainError `unknown-network`, `private-key-refused`, `invalid-extended-key`, `wallet-key-in-use`
   */
  async setWallet(wanted: WantedWallet, by: By): Promise<WalletSet> {
    const { network, key } = this.readKey(wanted);
    const { nextIndex: from } = await this.walletRows.standingOf(wanted.merchantId, network.id, key);
    const scan = await this.scanner.scan({ ...key, from }, WHILE_SETTING);
    const family = this.config.networks.filter((one) => one.family === key.family).map(({ id }) => id);
    const wallet = await this.walletRows.set(
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
   * What `setWallet` would do, for comparing with the wallet. Changes nothing.
   * @throws DomainError as `setWallet`
   */
  async previewWallet(wanted: WantedWallet): Promise<WalletPreview> {
    const { network, key } = this.readKey(wanted);
    const standing = await this.walletRows.standingOf(wanted.merchantId, network.id, key);
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
  extendedKeys(merchantId: string): Promise<ExtendedKeyView[]> {
    return this.walletRows.keys(merchantId);
  }

  /** What a key of this merchant has issued, the latest first. @param before an index: only smaller ones */
  issuedFrom(merchantId: string, keyId: string, before: number | null, limit: number): Promise<IssuedFrom[]> {
    return this.addresses.issuedFrom(merchantId, keyId, before, limit);
  }

  /** What was issued for a destination of this merchant, the latest first. @param before an address: only older ones */
  issuedFor(
    merchantId: string,
    destinationId: string,
    before: string | null,
    limit: number,
  ): Promise<IssuedFrom[]> {
    return this.addresses.issuedFor(merchantId, destinationId, before, limit);
  }

  /**
   * Continues at index `to`, on every network that shares the key: for a restored backup that is behind.
   * @throws DomainError `no-wallet`, `no-key-wallet`, `invalid-index`, `index-behind`
   */
  async skipIndexes(
    { merchantId, network, to }: { merchantId: string; network: string; to: number },
    by: By,
  ): Promise<KeyWallet> {
    if (!Number.isInteger(to) || to < 0 || to > LAST_INDEX) throw invalidIndex();
    const wallet = await this.walletRows.skip(merchantId, network, to, async (tx, before, after) => {
      const detail = { key: after.extendedKeyId, before: before.nextIndex, after: after.nextIndex };
      if (detail.before === detail.after) return;
      await by.record(tx, { merchantId, action: 'wallet.skipped', subject: network, detail });
    });
    if (wallet.nextIndex > to) throw indexBehind(wallet.nextIndex);
    return wallet;
  }

  /**
   * A new address for a subject's quote, watched from the commit of `tx` on. A key stays locked until `tx` ends, so keep
   * it short; a rollback may leave a gap, an index is never issued twice. A destination gives each quote one address.
   * @throws DomainError `no-wallet`, `wallet-unsearched`
   */
  async issueAddress(
    tx: EntityManager,
    wanted: { merchantId: string; network: string; asset: string; subject: string },
  ): Promise<IssuedAddress> {
    const taken = await this.walletRows.take(tx, wanted.merchantId, wanted.network);
    if (taken.kind === 'address') {
      const salt = depositSalt(wanted);
      const address = forwarderAddress(taken.destination, salt);
      const issued = { family: 'evm', watchedAddress: address.toLowerCase() } as const;
      await this.walletRows.issue(tx, taken, { ...issued, salt }, wanted.subject);
      return { ...issued, address };
    }
    const { family, xpub, index } = taken;
    const chain = this.network(wanted.network)?.chain;
    const { address, watchedAddress } = deriveAddress({ family, chain }, xpub, index);
    await this.walletRows.issue(tx, taken, { family, watchedAddress, salt: null }, wanted.subject);
    return { family, address, watchedAddress };
  }

  /** To whom an address was issued, or whom a transaction paid; nothing for any other text. */
  subjectsKnownBy(text: string): Promise<string[]> {
    return this.addresses.subjectsKnownBy(text);
  }

  /** Every address of a subject with how its merchant finds it, oldest first. */
  issuedTo(subject: string): Promise<IssuedPlace[]> {
    return this.addresses.issuedTo(subject);
  }

  async facts(on: DataSource | EntityManager, subject: string): Promise<Facts> {
    return (await this.factRows.factsOf(on, [subject])).get(subject)!;
  }

  /** In one round trip; every subject that was asked for has an entry. */
  factsOf(on: DataSource | EntityManager, subjects: readonly string[]): Promise<ReadonlyMap<string, Facts>> {
    return this.factRows.factsOf(on, subjects);
  }

  /** Subjects to decide again, the longest waiting first. */
  changes(limit: number): Promise<FactChange[]> {
    return this.factRows.changes(limit);
  }

  /** Done with a change, in the transaction of its decision. A newer change of the same subject stays. */
  acknowledge(tx: EntityManager, change: FactChange): Promise<void> {
    return this.factRows.acknowledge(tx, change);
  }

  backlog(): Promise<FactBacklog> {
    return this.factRows.backlog();
  }

  /** A change that could not be decided now goes behind the others. */
  postpone(change: FactChange): Promise<void> {
    return this.factRows.postpone(change);
  }

  health(): Promise<NetworkHealth[]> {
    return this.healthSeenOn(this.dataSource);
  }

  private async healthSeenOn(on: DataSource | EntityManager): Promise<NetworkHealth[]> {
    const known = await this.factRows.standings(on);
    return this.config.networks.map((network) => {
      const { standing = null, reason = null, unsearchedWallets = 0 } = known.get(network.id) ?? {};
      return {
        network: network.id,
        state: networkState(network, standing),
        height: standing?.height ?? null,
        nodeHeight: standing?.nodeHeight ?? null,
        blockTime: standing?.blockTime ?? null,
        syncedAt: standing?.syncedAt ?? null,
        crossCheck: standing?.crossCheck ?? null,
        reason,
        closedAssets: closedAssets(network.assets, standing),
        coinUnwatched: standing?.coinUnwatched ?? 0,
        unsearchedWallets,
      };
    });
  }

  /** As `health`, for what one merchant may offer: a crowd of others' addresses closes nothing for it. */
  async healthFor(merchantId: string): Promise<NetworkHealth[]> {
    return Promise.all(
      (await this.health()).map(async (of) => {
        const closed = Object.entries(of.closedAssets);
        if (!closed.some(([, closure]) => closure === 'too-many-addresses')) return of;
        if (await this.balances.isCrowdedOut(of.network, merchantId)) return of;
        const closedAssets = closed.filter(([, closure]) => closure !== 'too-many-addresses');
        return { ...of, closedAssets: Object.fromEntries(closedAssets) };
      }),
    );
  }

  /** Whether what is paid at one of these may come without our seeing it now. */
  async isAnyUnseen(on: DataSource | EntityManager, places: readonly Place[]): Promise<boolean> {
    const health = await this.healthSeenOn(on);
    const isClosed = ({ network: id, asset }: Place) => {
      const of = health.find(({ network }) => network === id);
      const closure = of?.closedAssets[asset];
      // Then those that there is room for are seen, and asked about one by one.
      return of?.state !== 'open' || (closure !== undefined && closure !== 'too-many-addresses');
    };
    if (places.some(isClosed)) return true;
    for (const { id, family, assets } of this.config.networks) {
      const coin = family === 'evm' ? assets.find(({ contract }) => contract === null)?.symbol : undefined;
      const at = places.filter(({ network, asset }) => network === id && asset === coin);
      const addresses = at.map(({ watchedAddress }) => watchedAddress);
      if (addresses.length > 0 && (await this.balances.isAnyUnwatched(on, id, family, addresses)))
        return true;
    }
    return false;
  }

  /**
   * Waits until every network was seen at a fresh tip after this call, by this process or by another instance:
   * a tip from before our start says nothing about the blocks since.
   * @returns the networks that were not when the time was up
   */
  async whenCaughtUp(timeoutMs: number): Promise<string[]> {
    const deadlineMs = performance.now() + timeoutMs;
    const since = await readClock(this.dataSource);
    for (;;) {
      const caughtUp = await this.factRows.syncedSince(since);
      const missing = this.config.networks.map(({ id }) => id).filter((id) => !caughtUp.has(id));
      if (missing.length === 0 || performance.now() >= deadlineMs) return missing;
      await sleep(CATCH_UP_POLL_MS);
    }
  }

  paymentUris(network: NetworkConfig, asset: AssetConfig, address: string, atoms: bigint): PaymentUris {
    return paymentUris(network, asset, address, atoms);
  }

  /** About what sending the asset costs there now, in atoms of the network's coin; `null` where nobody says. */
  transferFee(network: NetworkConfig, asset: AssetConfig): Promise<bigint | null> {
    return this.gasPrices.transferFee(network, asset);
  }

  transferCall(
    network: NetworkConfig,
    asset: AssetConfig,
    address: string,
    atoms: bigint,
  ): TransferCall | null {
    return transferCall(network, asset, address, atoms);
  }

  /** An address that a person typed, in its normal spelling; `null` when it is none of that network. */
  readAddress(networkId: string, text: string): string | null {
    const network = this.network(networkId);
    return network && readAddress(network, text);
  }

  /** What this process' watchers have done, for the metrics. */
  watchers(): WatcherStats[] {
    return this.jobs.stats();
  }

  private readKey({ network: id, xpub }: WantedWallet): { network: NetworkConfig; key: ExtendedKey } {
    const network = this.network(id);
    if (!network) throw unknownNetwork(id);
    return { network, key: parseExtendedKey(xpub, network.family, network.chain) };
  }
}

/** What a person compares with their wallet before they trust a key. */
function comparedAddresses(network: NetworkConfig, { xpub }: ExtendedKey): string[] {
  return COMPARED.map((index) => deriveAddress(network, xpub, index).address);
}
