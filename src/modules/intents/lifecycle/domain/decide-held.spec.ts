import {
  at,
  DURING,
  factsOf,
  intent,
  quote,
  transfer,
  UNMINED,
} from '../../../../../test/support/intents/payment.js';
import type { Facts } from '../../../chains/chains.types.js';
import { decide } from './decide.js';

const DAY_MS = 24 * 3_600_000;
const waiting = intent({ status: 'pending', completedAt: DURING });
const quoted = quote({ confirmationDepth: 'finalized', settlementDepth: 'finalized' });
const stalled = { height: 7_200, safeHeight: 2, finalizedHeight: 2, syncedAt: at(DAY_MS) };
const endOf = (facts: Facts) =>
  decide(waiting, [quoted], facts, at(DAY_MS + 1)).steps.map(({ to, cause }) => [to, cause]);

describe('a day after the window, while finality stands still', () => {
  it('what blocks hold goes on waiting for it', () => {
    expect(endOf(factsOf([transfer({ state: 'included', blockHeight: 10 })], stalled))).toEqual([]);
  });

  it('what no block took has failed, beside a part that one holds', () => {
    const half = quoted.amountAtoms / 2n;
    const mined = transfer({ id: 'tr_mined', amountAtoms: half, state: 'included', blockHeight: 10 });
    const rest = quoted.amountAtoms - half;
    const unmined = transfer({ id: 'tr_unmined', amountAtoms: rest, state: 'mempool', ...UNMINED });
    expect(endOf(factsOf([mined, unmined], stalled))).toEqual([['failed', 'deposit-never-confirmed']]);
  });

  it('what blocks hold is confirmed and settled once they are final, however late', () => {
    const final = { ...stalled, safeHeight: 10, finalizedHeight: 10 };
    expect(endOf(factsOf([transfer({ state: 'included', blockHeight: 10 })], final))).toEqual([
      ['confirmed', 'deposit-confirmed'],
      ['settled', 'deposit-settled'],
    ]);
  });
});
