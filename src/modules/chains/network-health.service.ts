import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config, type NetworkConfig } from '../../config/config.types.js';
import { readClock } from '../../database/clock.js';
import type { On } from '../../database/statement.js';
import { ChainsJobs } from './chains.jobs.js';
import type { NetworkAsset, Place } from './chains.types.js';
import { BalancesRepository } from './data/balances/balances.repository.js';
import { FactsRepository, type KnownNetwork } from './data/facts.repository.js';
import { KnownAssetsRepository } from './data/known-assets.repository.js';
import {
  closedAssets,
  isConfigured,
  isFinalityStalled,
  networkState,
  unwatchedOf,
} from './domain/network-state.js';
import type { NetworkHealth, SeenNetwork, WatcherStats } from './health.types.js';

const CATCH_UP_POLL_MS = 100;

/** How far each network is seen, and what may be offered on it. */
@Injectable()
export class NetworkHealthService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly dataSource: DataSource,
    private readonly rows: FactsRepository,
    private readonly jobs: ChainsJobs,
    private readonly balances: BalancesRepository,
    private readonly known: KnownAssetsRepository,
  ) {}

  /** How far each network is seen now, and what is closed on it. */
  async seen(on: On = this.dataSource): Promise<SeenNetwork[]> {
    const known = await this.rows.standings(on);
    return this.config.networks.map((network) => seenAs(network, known.get(network.id)));
  }

  async all(on: On = this.dataSource): Promise<NetworkHealth[]> {
    const known = await this.rows.health(on);
    return this.config.networks.map((network) => {
      const of = known.get(network.id);
      const seen = seenAs(network, of);
      const unfinalForS = of?.unfinalForS ?? null;
      return {
        ...seen,
        unsearchedWallets: of?.unsearchedWallets ?? 0,
        unfinalForS,
        isFinalityStalled: seen.state === 'open' && isFinalityStalled(network, unfinalForS),
        finalGivenUp: of?.finalGivenUp ?? null,
      };
    });
  }

  /**
   * As `seen`, for what one merchant may offer: a crowd of others' addresses closes nothing for it.
   * @param seen if that has been asked for already
   */
  async forMerchant(
    merchantId: string,
    on: On = this.dataSource,
    seen = this.seen(on),
  ): Promise<SeenNetwork[]> {
    return Promise.all(
      (await seen).map(async (of) => {
        const closed = Object.entries(of.closedAssets);
        if (!closed.some(([, closure]) => closure === 'too-many-addresses')) return of;
        if (await this.balances.isCrowdedOut(on, of.network, merchantId)) return of;
        const closedAssets = closed.filter(([, closure]) => closure !== 'too-many-addresses');
        return { ...of, closedAssets: Object.fromEntries(closedAssets) };
      }),
    );
  }

  /** Whether what is paid at one of these may come without our seeing it now. */
  async isAnyUnseen(on: On, places: readonly Place[]): Promise<boolean> {
    return (await this.unseen(on, places)).size > 0;
  }

  /**
   * Those at which what is paid may come without our seeing it now. What is asked for it needs nothing of each other's answers.
   * @param seen if that has been asked for already
   */
  async unseen<One extends Place>(
    on: On,
    places: readonly One[],
    seen = this.seen(on),
  ): Promise<ReadonlySet<One>> {
    const [health, unwatched, unwatchedForCoin] = await Promise.all([
      seen,
      this.unwatched(places, on),
      this.unwatchedForCoin(places, on),
    ]);
    const closed = places.filter(({ network: id, asset }) => {
      const of = health.find(({ network }) => network === id);
      // A network that is not configured here: as an asset that is not.
      if (!of) return false;
      const closure = of.closedAssets[asset];
      // Then those that there is room for are seen, and were asked about one by one.
      return of.state !== 'open' || (closure !== undefined && closure !== 'too-many-addresses');
    });
    return new Set([...closed, ...unwatched, ...unwatchedForCoin]);
  }

  /** Of these, where the watcher does not ask what coin an address holds. */
  private async unwatchedForCoin<One extends Place>(places: readonly One[], on: On): Promise<One[]> {
    const found = this.config.networks.map(async ({ id, family, assets }) => {
      const coin = family === 'evm' ? assets.find(({ contract }) => contract === null)?.symbol : undefined;
      const at = places.filter(({ network, asset }) => network === id && asset === coin);
      if (at.length === 0) return [];
      const addresses = at.map(({ watchedAddress }) => watchedAddress);
      const unwatched = await this.balances.unwatched(on, id, family, addresses);
      return at.filter(({ watchedAddress }) => unwatched.has(watchedAddress));
    });
    return (await Promise.all(found)).flat();
  }

  /** Of these, what no instance looks for: it was taken out of the configuration, or only a new one has it. */
  async unwatched<One extends NetworkAsset>(all: readonly One[], on: On = this.dataSource): Promise<One[]> {
    const { networks } = this.config;
    if (all.every((one) => isConfigured(networks, one))) return [];
    return unwatchedOf(all, networks, await this.known.watched(on));
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
      const caughtUp = await this.rows.syncedSince(since);
      const missing = this.config.networks.map(({ id }) => id).filter((id) => !caughtUp.has(id));
      if (missing.length === 0 || performance.now() >= deadlineMs) return missing;
      await sleep(CATCH_UP_POLL_MS);
    }
  }

  /** What this process' watchers have done, for the metrics. */
  watchers(): WatcherStats[] {
    return this.jobs.stats();
  }
}

function seenAs(network: NetworkConfig, known: KnownNetwork | undefined): SeenNetwork {
  const standing = known?.standing ?? null;
  return {
    network: network.id,
    state: known?.isHalted ? 'halted' : networkState(network, standing),
    height: standing?.height ?? null,
    nodeHeight: standing?.nodeHeight ?? null,
    blockTime: standing?.blockTime ?? null,
    syncedAt: standing?.syncedAt ?? null,
    crossCheck: standing?.crossCheck ?? null,
    reason: known?.reason ?? null,
    closedAssets: closedAssets(network.assets, standing),
    coinUnwatched: standing?.coinUnwatched ?? 0,
  };
}
