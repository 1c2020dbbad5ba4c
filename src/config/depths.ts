import type { Depth, NetworkConfig } from './config.types.js';

/** Seconds from sending until a depth is reached: what the page calls "about 2 minutes". */
export function expectedWaitS(network: NetworkConfig, depth: Depth): number {
  if (depth === 'safe') return network.safeAfterS;
  if (depth === 'finalized') return network.finalizedAfterS;
  return Math.ceil(network.blockIntervalS * (depth + 0.5));
}
