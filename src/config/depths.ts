import type { Depth, NetworkConfig } from './config.types.js';

/** Blocks on top of a transfer are counted up to here on every network, also where it is final much sooner. */
const COUNTED_BLOCKS = 100;

/** How many blocks on top of a transfer are counted: as many as the deepest number that anybody can wait for. */
export function countedBlocks({ confirmationDepth, settlementDepths }: NetworkConfig): number {
  const numbers = [confirmationDepth, ...settlementDepths].filter((depth) => typeof depth === 'number');
  return Math.max(COUNTED_BLOCKS, ...numbers);
}

/** Seconds from sending until a depth is reached: what the page calls "about 2 minutes". */
export function expectedWaitS(network: NetworkConfig, depth: Depth): number {
  if (depth === 'safe') return network.safeAfterS;
  if (depth === 'finalized') return network.finalizedAfterS;
  return Math.ceil(network.blockIntervalS * (depth + 0.5));
}
