import type { Depth } from '../../config/config.types.js';
import type { TypedNumber } from '../../kernel/text/typed-number.js';

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
