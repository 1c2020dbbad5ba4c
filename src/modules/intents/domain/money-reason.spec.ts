import type { Transfer } from '../../chains/chains.types.js';
import type { ReviewReason } from '../intents.types.js';
import type { Quote } from './model.js';
import { expiredReason } from './money-reason.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute));
const END = at(15);
const quote = { amountAtoms: 100n, toleranceBps: 0 } as unknown as Quote;
const transfer = (
  amountAtoms: bigint,
  seen: number,
  observed = seen,
  inherited: Transfer['inherited'] = [],
) => ({ amountAtoms, firstSeenAt: at(seen), observedAt: at(observed), inherited }) as unknown as Transfer;

describe('money of an expired intent', () => {
  it.each<[string, ReviewReason, readonly Transfer[]]>([
    ['sent in time and seen after the end', 'in-time-seen-late', [transfer(100n, 20, 10)]],
    [
      'of which a part was seen after the end',
      'in-time-seen-late',
      [transfer(60n, 5), transfer(40n, 20, 10)],
    ],
    [
      'of which dust was seen, and the rest after the end',
      'in-time-seen-late',
      [transfer(100n, 20, 10, [{ atoms: 1n, at: at(5) }])],
    ],
    ['seen in time, lost, and back', 'late', [transfer(100n, 5)]],
    ['seen in time, lost and back, with dust seen late', 'late', [transfer(100n, 5), transfer(1n, 20, 10)]],
    ['that came back with as much, and more', 'late', [transfer(150n, 20, 20, [{ atoms: 100n, at: at(5) }])]],
    ['that was dust in time', 'late', [transfer(100n, 20, 20, [{ atoms: 1n, at: at(5) }])]],
    ['sent after the end', 'late', [transfer(100n, 20)]],
    ['that is too little', 'underpaid', [transfer(99n, 20, 10)]],
  ])('%s is %s', (_what, reason, transfers) => {
    expect(expiredReason({ expiresAt: END }, quote, transfers)).toBe(reason);
  });
});
