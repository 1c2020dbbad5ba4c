import type { InternalCall } from '../node/evm-node.types.js';

export interface Attribution {
  /** To be credited each to its transaction. */
  readonly calls: readonly InternalCall[];
  /** What has come to the address besides: to be credited to the block. */
  readonly restAtoms: bigint;
  /** Whether a trace said that more came in than did: then it says nothing. */
  readonly isContradicted: boolean;
}

/**
 * Who paid what has come to an address. A trace says whose it was, never how much: one node alone may tell it.
 * @param cameAtoms what its balance gained that no known transfer explains, with what it sent and paid for. Without code
 *   an address loses coin in no other way, so that this is what came in; of one that has code it may be less.
 * @param calls what a trace says that the address was paid inside transactions; `null` without a trace
 * @param feesAtoms what receipts say that it paid for its own transactions. Some networks charge less than their receipts
 *   say: what came in is credited without a trace only where it is more than that.
 */
export function attribute(
  cameAtoms: bigint,
  calls: readonly InternalCall[] | null,
  feesAtoms = 0n,
): Attribution {
  const traced = (calls ?? []).reduce((sum, { valueAtoms }) => sum + valueAtoms, 0n);
  const isContradicted = traced > 0n && traced > cameAtoms;
  const believed = isContradicted ? [] : (calls ?? []);
  const restAtoms = cameAtoms - (isContradicted ? 0n : traced);
  return { calls: believed, restAtoms: cameAtoms > feesAtoms ? restAtoms : 0n, isContradicted };
}
