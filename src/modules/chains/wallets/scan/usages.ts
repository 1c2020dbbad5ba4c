import type { NetworkConfig } from '../../../../config/config.types.js';
import { BitcoinUsage } from './bitcoin-usage.js';
import { EvmUsage } from './evm-usage.js';
import type { CursorNow, Usage } from './usage.js';

/** With connections of its own, so that no watcher waits behind it. */
export function usageOn(network: NetworkConfig, standing: CursorNow): Usage {
  return network.family === 'evm' ? new EvmUsage(network, standing) : new BitcoinUsage(network, standing);
}
