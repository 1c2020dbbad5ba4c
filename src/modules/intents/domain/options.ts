import { payableAtoms, parsePrice, withSpread, type Price } from '../../../kernel/crypto-amount.js';
import type { AssetConfig, Depth, NetworkConfig } from '../../../config/config.types.js';
import type { Rate } from '../../rates/rates.types.js';
import type { ClosedReason } from '../intents.types.js';

/** One way to pay, judged now. */
export interface Option {
  readonly network: NetworkConfig;
  readonly asset: AssetConfig;
  readonly rate: Rate | null;
  readonly amountAtoms: bigint | null;
  /** Seconds from sending to `settled`. */
  readonly expectedSettleS: number;
  readonly closed: ClosedReason | null;
}

/** Whether an asset may be picked, and for how much. Fails closed: no fresh rate or a lagging network, no offer. */
export function judgeOption(
  amountMinor: bigint,
  network: NetworkConfig,
  asset: AssetConfig,
  { rate, networkOpen, spreadBps }: { rate: Rate | null; networkOpen: boolean; spreadBps: number },
): Option {
  const price = rate ? quotedPrice(rate, spreadBps) : null;
  const amountAtoms = price ? payableAtoms(amountMinor, price, asset.decimals) : null;
  const expectedSettleS = expectedWaitS(network, settlementDepth(network, amountMinor));
  const closed = closedReason(asset, amountAtoms, networkOpen);
  return { network, asset, rate, amountAtoms, expectedSettleS, closed };
}

function closedReason(
  asset: AssetConfig,
  amountAtoms: bigint | null,
  networkOpen: boolean,
): ClosedReason | null {
  if (!networkOpen) return 'network_unavailable';
  if (amountAtoms === null) return 'no_rate';
  return amountAtoms < asset.dustAtoms ? 'below_minimum' : null;
}

export function quotedPrice(rate: Rate, spreadBps: number): Price {
  const price = parsePrice(rate.price);
  if (!price) throw new Error(`the rate book answered "${rate.price}" for ${rate.asset}`);
  return withSpread(price, spreadBps);
}

/** Fiat bounds of the settlement tiers, in minor units of any of the three currencies (PRODUCT). */
const TIER_BOUNDS_MINOR = [100_00n, 1_000_00n, 10_000_00n] as const;

/** The settlement depth for a fiat value: more money waits for more blocks. */
export function settlementDepth(network: NetworkConfig, amountMinor: bigint): Depth {
  const tier = TIER_BOUNDS_MINOR.filter((bound) => amountMinor >= bound).length;
  return network.settlementDepths[tier] ?? network.settlementDepths[3];
}

/** Seconds from sending until a depth is reached: what the page calls "about 2 minutes". */
export function expectedWaitS(network: NetworkConfig, depth: Depth): number {
  if (depth === 'safe') return network.safeAfterS;
  if (depth === 'finalized') return network.finalizedAfterS;
  return Math.ceil(network.blockIntervalS * (depth + 0.5));
}
