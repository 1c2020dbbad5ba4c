import type { EvmTips } from './node/evm-node.types.js';

/**
 * Where a new network begins: at the last final block, so that a reorganisation right after has blocks to walk back
 * in. A node that calls nothing final, or only genesis, must not be read from there: no more than is kept.
 */
export function firstHeight(
  { latest, finalizedHeight }: Pick<EvmTips, 'latest' | 'finalizedHeight'>,
  keptBlocks: number,
): number {
  return Math.max(0, finalizedHeight ?? 0, latest.height - keptBlocks);
}
