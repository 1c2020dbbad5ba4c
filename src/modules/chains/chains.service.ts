import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Subject } from 'rxjs';
import { DataSource, type EntityManager } from 'typeorm';
import { type AssetConfig, CONFIG, type Config, type NetworkConfig } from '../../config/config.types.js';
import { readClock } from '../../database/clock.js';
import { valueAt } from '../../kernel/lookups.js';
import { ChainsJobs } from './chains.jobs.js';
import type {
  FactBacklog,
  FactChange,
  Facts,
  IssuedAddress,
  IssuedFrom,
  IssuedPlace,
  Place,
  WantedAddress,
} from './chains.types.js';
import { AddressBook } from './data/addresses/address-book.js';
import { BalancesRepository } from './data/balances/balances.repository.js';
import { FactsRepository } from './data/facts.repository.js';
import { LedgerRepository } from './data/ledger.repository.js';
import { deriveAddress } from './domain/addresses/derive-address.js';
import { type PaymentUris, paymentUris } from './domain/addresses/payment-uri.js';
import { readAddress } from './domain/addresses/read-address.js';
import { transferCall } from './domain/addresses/transfer-call.js';
import { depositSalt, forwarderAddress } from './domain/forwarder-address.js';
import { closedAssets, isFinalityStalled, networkState } from './domain/network-state.js';
import { FeePrices } from './fees/fee-prices.js';
import type { NetworkHealth, WatcherStats } from './health.types.js';
import type { TransferCall } from './outgoing.types.js';
import type { Wallet } from './wallets.types.js';
import { WalletsRepository } from './wallets/data/wallets.repository.js';

const CATCH_UP_POLL_MS = 100;

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
    private readonly balances: BalancesRepository,
    private readonly feePrices: FeePrices,
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
   * A new address for a subject's quote, watched from the commit of `tx` on. A key stays locked until `tx` ends, so keep
   * it short; a rollback may leave a gap, an index is never issued twice. A destination gives each quote one address.
   * @throws DomainError `no-wallet`, `wallet-unsearched`
   */
  async issueAddress(tx: EntityManager, wanted: WantedAddress): Promise<IssuedAddress> {
    const { subject, confirmationDepth } = wanted;
    const taken = await this.walletRows.take(tx, wanted.merchantId, wanted.network);
    if (taken.kind === 'address') {
      const salt = depositSalt(wanted);
      const address = forwarderAddress(taken.destination, salt);
      const issued = { family: 'evm', watchedAddress: address.toLowerCase() } as const;
      await this.walletRows.issue(tx, taken, { ...issued, salt, subject, confirmationDepth });
      return { ...issued, address };
    }
    const { family, xpub, index } = taken;
    const chain = this.network(wanted.network)?.chain;
    const { address, watchedAddress } = deriveAddress({ family, chain }, xpub, index);
    const issued = { family, watchedAddress, salt: null, subject, confirmationDepth };
    await this.walletRows.issue(tx, taken, issued);
    return { family, address, watchedAddress };
  }

  /** To whom an address was issued, or whom a transaction paid; nothing for any other text. */
  subjectsKnownBy(text: string): Promise<string[]> {
    return this.addresses.subjectsKnownBy(text);
  }

  /** Every address of these subjects with how its merchant finds it, oldest first. */
  issuedTo(subjects: readonly string[]): Promise<(IssuedPlace & { readonly subject: string })[]> {
    return this.addresses.issuedTo(subjects);
  }

  async facts(on: DataSource | EntityManager, subject: string): Promise<Facts> {
    return valueAt(await this.factRows.factsOf(on, [subject]), subject);
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
      const {
        standing = null,
        reason = null,
        isHalted = false,
        unsearchedWallets = 0,
      } = known.get(network.id) ?? {};
      const state = isHalted ? 'halted' : networkState(network, standing);
      const unfinalForS = standing?.unfinalForS ?? null;
      return {
        network: network.id,
        state,
        height: standing?.height ?? null,
        nodeHeight: standing?.nodeHeight ?? null,
        blockTime: standing?.blockTime ?? null,
        syncedAt: standing?.syncedAt ?? null,
        crossCheck: standing?.crossCheck ?? null,
        reason,
        closedAssets: closedAssets(network.assets, standing),
        coinUnwatched: standing?.coinUnwatched ?? 0,
        unsearchedWallets,
        unfinalForS,
        isFinalityStalled: state === 'open' && isFinalityStalled(network, unfinalForS),
        finalGivenUp: standing?.finalGivenUp ?? null,
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
    return this.feePrices.transferFee(network, asset);
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
}
