import type { Depth, DepthTiers, NetworkConfig } from '../../config/config.types.js';
import type { TypedNumber } from '../../kernel/typed-number.js';

/** @template N `TypedNumber` before they are checked */
export interface AssetTerms<N extends TypedNumber = number> {
  readonly accepted: boolean;
  /** Not offered for less than this, in minor units of the intent's currency; 0 for no minimum. */
  readonly minimumMinor: N;
}

/** What a merchant overrides of the defaults of a network; `null`, and what is not named, has the default. */
export interface NetworkTerms<N extends TypedNumber = number> {
  /** By symbol. */
  readonly assets: Readonly<Record<string, AssetTerms<N>>>;
  readonly confirmationDepth: Depth | N | null;
  /** For a fiat value below 100, below 1,000, below 10,000, and above. */
  readonly settlementDepths: readonly (Depth | N | null)[];
}

/** By network. */
export type Terms<N extends TypedNumber = number> = Readonly<Record<string, NetworkTerms<N>>>;

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
