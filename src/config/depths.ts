import type { Depth, NetworkConfig } from './config.types.js';

/**
 * Blocks on top of a transfer are counted up to here, also where it is final much sooner, and then nobody looks at it again: no
 * depth is a greater number, in a configuration, a merchant's terms or the database (`is_depth`). A quote keeps the depths
 * of its time, so a limit that followed today's configuration would leave some of them waiting for ever.
 */
export const COUNTED_BLOCKS = 100;

/** Seconds from sending until a depth is reached: what the page calls "about 2 minutes". */
export function expectedWaitS(network: NetworkConfig, depth: Depth): number {
  if (depth === 'safe') return network.safeAfterS;
  if (depth === 'finalized') return network.finalizedAfterS;
  return Math.ceil(network.blockIntervalS * (depth + 0.5));
}
