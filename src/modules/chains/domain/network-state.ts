import type { AssetConfig, NetworkConfig } from '../../../config/config.types.js';
import type { CrossCheck, NetworkAsset } from '../chains.types.js';
import type { AssetClosure, NetworkState } from '../health.types.js';
import { assetKey } from './asset-key.js';

/** For at least so long a network counts as watched after its last fresh tip. */
export const FRESH_MS = 30_000;
const FRESH_INTERVALS = 5;
// Every look at the tip counts, not only a new block: on slow chains five intervals would be an hour of blindness.
const FRESH_AT_MOST_MS = 120_000;
/** A step of the watcher ends at the tip it saw, so anything more means that it cannot keep up. */
export const MAX_LAG_BLOCKS = 5;
const STUCK_S = 60;
const STUCK_INTERVALS = 20;
const STALLED_TIMES = 2;
const LEAST_STALL_S = 1_800;
/** No network that we know takes less than this for real finality, but for those that say so themselves. */
const LEAST_FALLBACK_S = 900;

export interface WatcherProgress {
  readonly height: number;
  readonly nodeHeight: number;
  /** Milliseconds since the cursor last stood at a fresh tip, by the database's clock. */
  readonly syncedAgoMs: number;
  readonly crossCheck?: CrossCheck | null;
}

/** How long after its last fresh tip a network still counts as watched. */
export function freshForMs(network: Pick<NetworkConfig, 'blockIntervalS'>): number {
  const intervalsMs = FRESH_INTERVALS * network.blockIntervalS * 1_000;
  return Math.min(FRESH_AT_MOST_MS, Math.max(FRESH_MS, intervalsMs));
}

/** How old a block must be to stand in for a final one, where a node does not know the tag. */
export function fallbackAgeS({ finalityFallbackS, finalizedAfterS }: NetworkConfig): number {
  return finalityFallbackS ?? Math.max(LEAST_FALLBACK_S, finalizedAfterS);
}

/** How old a tip may be before its node counts as stuck. Chances of a gap this long: e^-20 on a random chain. */
export function stuckAfterS(network: Pick<NetworkConfig, 'blockIntervalS'>): number {
  return Math.max(STUCK_S, STUCK_INTERVALS * network.blockIntervalS);
}

/**
 * Whether no block became final for twice as long as it takes, and half an hour at least: the node answers the same final
 * block again and again, or the network itself decides nothing. Bitcoin-like depths are counted by us, from block to block.
 * @param unfinalForS for how long the oldest block that is not final has been known; `null` while all are final
 */
export function isFinalityStalled(network: NetworkConfig, unfinalForS: number | null): boolean {
  if (network.family !== 'evm' || unfinalForS === null) return false;
  return unfinalForS > Math.max(LEAST_STALL_S, STALLED_TIMES * fallbackAgeS(network));
}

/** What the cursor stands for, beside its place. */
export interface Coverage {
  readonly height: number;
  /** By asset key; `null` for a cursor from before assets were told apart. */
  readonly covered: ReadonlyMap<string, number> | null;
  readonly isCoinBlind: boolean;
  /** Whether addresses with open windows are beyond those whose balances are compared. */
  readonly isCoinCrowded: boolean;
}

/** Assets that are not offered although their network may be: nobody may be asked to pay what we would not see. */
export function closedAssets(
  assets: readonly AssetConfig[],
  coverage: Coverage | null,
): Readonly<Record<string, AssetClosure>> {
  const closed = assets.flatMap((asset): [string, AssetClosure][] => {
    if (!coverage) return [];
    const { height, covered, isCoinBlind, isCoinCrowded } = coverage;
    if (covered && (covered.get(assetKey(asset)) ?? -1) < height) return [[asset.symbol, 'catching-up']];
    if (asset.contract !== null) return [];
    if (isCoinBlind) return [[asset.symbol, 'balances-unknown']];
    return isCoinCrowded ? [[asset.symbol, 'too-many-addresses']] : [];
  });
  return Object.fromEntries(closed);
}

/**
 * Of these, what nobody looks for: it is configured here no more, or not yet, and nothing says that another instance has
 * it and watches it.
 * @param elsewhere what some instance watches, by what cursors stand for
 */
export function unwatchedOf<One extends NetworkAsset>(
  all: readonly One[],
  networks: readonly Pick<NetworkConfig, 'id' | 'assets'>[],
  elsewhere: readonly NetworkAsset[],
): One[] {
  const isThere = (one: NetworkAsset) =>
    elsewhere.some(({ network, asset }) => network === one.network && asset === one.asset);
  return all.filter((one) => !isConfigured(networks, one) && !isThere(one));
}

/** By its symbol: what an asset is called never changes (ADR 46). */
export function isConfigured(
  networks: readonly Pick<NetworkConfig, 'id' | 'assets'>[],
  { network, asset }: NetworkAsset,
): boolean {
  return networks.some(({ id, assets }) => id === network && assets.some(({ symbol }) => symbol === asset));
}

/** Only an open network is offered: nobody may be asked to pay where we cannot see. */
export function networkState(network: NetworkConfig, standing: WatcherProgress | null): NetworkState {
  if (!standing) return 'starting';
  if (standing.crossCheck === 'disagrees') return 'disputed';
  const fresh = standing.syncedAgoMs < freshForMs(network);
  return fresh && standing.nodeHeight - standing.height <= MAX_LAG_BLOCKS ? 'open' : 'lagging';
}
