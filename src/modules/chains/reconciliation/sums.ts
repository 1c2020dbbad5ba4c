import type { Movement } from './compare.js';

/** By "address asset". */
export function sumsOf(
  movements: readonly Pick<Movement, 'address' | 'asset' | 'atoms'>[],
): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { address, asset, atoms } of movements) {
    const key = `${address} ${asset}`;
    sums.set(key, (sums.get(key) ?? 0n) + atoms);
  }
  return sums;
}
