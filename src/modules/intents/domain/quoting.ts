import type { Depth, NetworkConfig } from '../../../config/config.types.js';
import { type Price, withSpread } from '../../../kernel/crypto-amount.js';
import type { Rate } from '../../rates/rates.types.js';

/** What one unit costs a buyer: with the merchant’s spread. */
export function quotedPrice({ price }: Pick<Rate, 'price'>, spreadBps: number): Price {
  return withSpread(price, spreadBps);
}

/** Fiat bounds of the settlement tiers, in minor units of any of the three currencies. */
const TIER_BOUNDS_MINOR = [100_00n, 1_000_00n, 10_000_00n] as const;

/** The settlement depth for a fiat value: more money waits for more blocks. */
export function settlementDepth(
  network: Pick<NetworkConfig, 'settlementDepths'>,
  amountMinor: bigint,
): Depth {
  const tier = TIER_BOUNDS_MINOR.filter((bound) => amountMinor >= bound).length;
  return network.settlementDepths[tier] ?? network.settlementDepths[3];
}
