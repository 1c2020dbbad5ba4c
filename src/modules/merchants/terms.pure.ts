import type { Depth, DepthTiers, NetworkConfig } from '../../config/config.types.js';
import type { TypedNumber } from '../../kernel/text/typed-number.js';
import type { AssetTerms, Terms } from './terms.types.js';

/** An asset that was listed after the merchant chose is accepted, as all were in the beginning. */
export function assetTerms<N extends TypedNumber>(
  terms: Terms<N>,
  network: string,
  symbol: string,
): AssetTerms<N | number> {
  return terms[network]?.assets[symbol] ?? { accepted: true, minimumMinor: 0 };
}

/** The network with the depths that the merchant waits for. */
export function withDepths(network: NetworkConfig, terms: Terms): NetworkConfig {
  const own = terms[network.id];
  if (!own) return network;
  const tier = (at: 0 | 1 | 2 | 3): Depth => own.settlementDepths[at] ?? network.settlementDepths[at];
  const settlementDepths: DepthTiers = [tier(0), tier(1), tier(2), tier(3)];
  return {
    ...network,
    confirmationDepth: own.confirmationDepth ?? network.confirmationDepth,
    settlementDepths,
  };
}
