import { paired } from '../../../../kernel/lookups.js';
import type { CoinMovement, WatchedBalance } from '../../data/balances/balances.repository.js';
import type { EarlierValue } from './earlier-value.js';
import { type Account, addressesOf, movementsOf, sums } from './walked-blocks.js';

/** An account with what it holds after the last block of a step. */
export interface HeldAccount extends Account {
  readonly heldAtoms: bigint;
}

export interface Accounts {
  /** Whose balance is not what is known, or may have been another in between. */
  readonly changed: readonly HeldAccount[];
  /** Of which nobody remembers a baseline. */
  readonly unremembered: readonly string[];
}

/** What is known besides of the balances after a step. */
interface Known {
  readonly earlier: EarlierValue;
  /** What the step's blocks paid by transactions' values. */
  readonly natives: readonly CoinMovement[];
  /** Paid and moved on since the last look, their balance may be what it was. */
  readonly spenders: ReadonlySet<string>;
}

/** @param after what they hold after the last block of the step, in their order */
export function accountsOf(
  watched: readonly WatchedBalance[],
  after: readonly bigint[],
  { earlier, natives, spenders }: Known,
): Accounts {
  const paid = sums(natives);
  const before = sums(movementsOf(earlier.transfers));
  const begun = new Map(
    earlier.baselines.map(({ address, unexplainedAtoms }) => [address, unexplainedAtoms]),
  );
  const accounts = paired(watched, after).map(([one, heldAtoms]): HeldAccount => {
    const { address, subject, reference, baselineHeight } = one;
    return {
      address,
      subject,
      heldAtoms,
      knownAtoms: one.knownAtoms + (before.get(address) ?? 0n),
      // What nobody remembers is taken for nothing: we issued the address, and money must not become a baseline.
      baselineAtoms: one.unexplainedAtoms ?? begun.get(address) ?? 0n,
      sinceHeight: baselineHeight ?? reference?.height ?? 0,
    };
  });
  const unremembered = watched.filter(
    ({ address, unexplainedAtoms }) => unexplainedAtoms === null && !begun.has(address),
  );
  const isChanged = ({ address, heldAtoms, knownAtoms, baselineAtoms }: HeldAccount) =>
    heldAtoms - knownAtoms - (paid.get(address) ?? 0n) !== baselineAtoms || spenders.has(address);
  return { changed: accounts.filter(isChanged), unremembered: addressesOf(unremembered) };
}
