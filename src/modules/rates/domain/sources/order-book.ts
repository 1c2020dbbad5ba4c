import type { Price } from '../../../../kernel/crypto-amount.js';
import { compare, distanceBps, mean, readPrice } from '../price.js';

/**
 * A book whose sides are further apart than this has no price worth the name: CHF books of stablecoins are thin. The
 * pair is then crossed through a deeper book of the same source.
 */
const MAX_SPREAD_BPS = 100n;

/** The middle of a book, exactly. `null` for a side that is missing, crossed sides (bid above ask), and a thin book. */
export function midPrice(bid: unknown, ask: unknown): Price | null {
  const [low, high] = [readPrice(bid), readPrice(ask)];
  if (!low || !high || compare(low, high) > 0) return null;
  return distanceBps(high, low) > MAX_SPREAD_BPS ? null : mean(low, high);
}
