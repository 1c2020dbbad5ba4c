import type { Facts } from '../../../chains/chains.types.js';
import { undone } from './alerts.js';
import { excessOfEach, type SettledPart } from './unsettled-money.js';

/** What has been written of an intent's money. */
interface Recorded {
  readonly settled: SettledPart | null;
  readonly settledTransfers: readonly AtomsOfTransfer[];
  readonly announced: readonly AtomsOfTransfer[];
}

/** How much of which transfer. */
export interface AtomsOfTransfer {
  readonly id: string;
  readonly amountAtoms: bigint;
}

/**
 * The transfers of a settled intent of which more blocks on top are no news: nothing that is decided of it goes by their
 * depth any more. All that may be there is in blocks, the settlement took it whole, and what was too much of it has been
 * announced. It is all or nothing: of money that anybody waits for, or has to decide about, every block tells.
 * @returns ids, to be woken for again once one of them is in no block, or another transfer is there
 */
export function restingTransfers(
  facts: Facts,
  { settled, settledTransfers, announced }: Recorded,
): readonly string[] {
  if (!settled) return [];
  const taken = new Set(settled.transferIds);
  const told = new Set(announced.map(({ id }) => id));
  // What another transaction has replaced for good is no money; should it come back, it is woken for.
  const there = facts.transfers.filter(({ state }) => state !== 'replaced');
  const isOver =
    there.every(({ id, state }) => state === 'included' && taken.has(id)) &&
    undone([...settledTransfers, ...announced], facts).length === 0 &&
    [...excessOfEach(settled, facts)].every(([id, atoms]) => atoms === 0n || told.has(id));
  return isOver ? there.map(({ id }) => id) : [];
}
