import type { InternalCall } from '../node/evm-node.types.js';

export interface Attribution {
  /** To be credited each to its transaction. */
  readonly calls: readonly InternalCall[];
  /** What the address has gained besides: to be credited to the block. */
  readonly restAtoms: bigint;
}

/**
 * What a change of an address' balance consists of that no known transfer explains.
 * @param changeAtoms negative when its owner has spent
 * @param calls what a trace says that the address was paid inside transactions; `null` without a trace
 * @param hasSpent whether a transaction of the address itself is among the blocks of the change: then more may have
 *   come in than its balance shows. Without one a trace that says more than the balance is not believed.
 */
export function attribute(
  changeAtoms: bigint,
  calls: readonly InternalCall[] | null,
  hasSpent: boolean,
): Attribution {
  const traced = (calls ?? []).reduce((sum, { valueAtoms }) => sum + valueAtoms, 0n);
  const isBelieved = traced <= changeAtoms || hasSpent;
  const rest = isBelieved ? changeAtoms - traced : changeAtoms;
  return { calls: isBelieved ? (calls ?? []) : [], restAtoms: rest > 0n ? rest : 0n };
}
