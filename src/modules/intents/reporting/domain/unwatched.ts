import type { NetworkAsset } from '../../../chains/chains.types.js';
import type { ChainVerdict, Incomparable } from '../../../chains/reconciliation/reconciliation.types.js';

export interface Unwatched extends NetworkAsset {
  /** How many were given out. */
  readonly addresses: number;
  /** Whether somebody has acknowledged the alert about it. */
  readonly isAcknowledged: boolean;
}

export interface CheckedNetwork extends ChainVerdict {
  /**
   * Whether somebody has to look: it differs, could not be compared, or has addresses for what is not configured any more,
   * which nobody has acknowledged.
   */
  readonly needsAttention: boolean;
}

/**
 * What was compared, and beside it what was not because it is in the configuration no more: that is no answer of a node, and
 * a network of which nothing was compared is not clean.
 */
export function withUnwatched(
  verdicts: readonly ChainVerdict[],
  unwatched: readonly Unwatched[],
): CheckedNetwork[] {
  const isUnheard = (id: string) =>
    unwatched.some(({ network, isAcknowledged }) => network === id && !isAcknowledged);
  const of = (id: string): Incomparable =>
    Object.fromEntries(
      unwatched
        .filter(({ network }) => network === id)
        .map(({ asset, addresses }) => [
          `addresses for ${asset}, which is not configured any more`,
          addresses,
        ]),
    );
  const gone = [...new Set(unwatched.map(({ network }) => network))].filter(
    (id) => !verdicts.some(({ network }) => network === id),
  );
  return [
    ...verdicts.map((verdict) => ({
      ...verdict,
      incomparable: { ...verdict.incomparable, ...of(verdict.network) },
      needsAttention: verdict.verdict !== 'clean' || isUnheard(verdict.network),
    })),
    ...gone.map((network): CheckedNetwork => {
      const counts = Object.values(of(network));
      const addresses = counts.reduce((sum, count) => sum + count, 0);
      return {
        network,
        verdict: 'unasked',
        reason: `it is not in the configuration any more, and buyers were given ${addresses} addresses there`,
        height: null,
        compared: 0,
        requests: 0,
        incomparable: of(network),
        differences: [],
        needsAttention: isUnheard(network),
      };
    }),
  ];
}
