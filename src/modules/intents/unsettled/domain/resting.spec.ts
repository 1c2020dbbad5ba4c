import { factsOf, transfer, UNMINED } from '../../../../../test/support/intents/payment.js';
import type { Transfer } from '../../../chains/chains.types.js';
import { restingTransfers } from './resting.js';

const paid = transfer({ amountAtoms: 100n });
const more = transfer({ amountAtoms: 60n });
const atomsOf = ({ id, amountAtoms }: Transfer) => ({ id, amountAtoms });

/** What rests of these, where the settlement took some of them and this much was announced of each. */
function resting(
  transfers: readonly Transfer[],
  taken: readonly Transfer[],
  { excessAtoms = 0n, announced = [] as readonly ReturnType<typeof atomsOf>[] } = {},
): readonly string[] {
  const transferIds = taken.map(({ id }) => id);
  const settled = { quoteId: 'quo', excessAtoms, transferIds };
  return restingTransfers(factsOf(transfers), {
    settled,
    settledTransfers: taken.map(atomsOf),
    announced,
  });
}

describe('more blocks on top are no news', () => {
  it('of what a settlement took, all of which is in blocks', () => {
    expect(resting([paid, more], [paid, more])).toEqual([paid.id, more.id]);
  });

  it('of an excess that has been announced', () => {
    const announced = [{ id: more.id, amountAtoms: 60n }];
    expect(resting([paid, more], [paid, more], { excessAtoms: 60n, announced })).toEqual([paid.id, more.id]);
  });

  it('beside what was replaced for good, which does not rest itself', () => {
    const replaced = transfer({ state: 'replaced', ...UNMINED });
    expect(resting([paid, replaced], [paid])).toEqual([paid.id]);
  });
});

describe('more blocks on top may be news', () => {
  it('of what has not settled', () => {
    const nothing = { settled: null, settledTransfers: [], announced: [] };
    expect(restingTransfers(factsOf([paid]), nothing)).toEqual([]);
    expect(restingTransfers(factsOf([]), nothing)).toEqual([]);
  });

  it('of money that no settlement took, whether or not it was announced', () => {
    expect(resting([paid, more], [paid])).toEqual([]);
    expect(resting([paid, more], [paid], { announced: [atomsOf(more)] })).toEqual([]);
  });

  it.each(['mempool', 'orphaned'] as const)('of what is in no block: %s', (state) => {
    const lost = { ...paid, state, ...UNMINED };
    expect(resting([lost, more], [lost, more])).toEqual([]);
    expect(resting([paid, { ...more, state, ...UNMINED }], [paid])).toEqual([]);
  });

  it('of a settlement or an announcement whose money is gone', () => {
    expect(resting([paid], [paid, more])).toEqual([]);
    expect(resting([{ ...paid, amountAtoms: 99n }], [paid])).toEqual([]);
    expect(resting([paid], [paid], { announced: [atomsOf(more)] })).toEqual([]);
  });

  it('of an excess of which some has yet to be announced', () => {
    const both = [paid, more];
    expect(resting(both, both, { excessAtoms: 60n })).toEqual([]);
    const announced = [{ id: more.id, amountAtoms: 60n }];
    expect(resting(both, both, { excessAtoms: 70n, announced })).toEqual([]);
  });
});
