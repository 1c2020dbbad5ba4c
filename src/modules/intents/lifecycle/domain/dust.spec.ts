import { at, factsOf, intent, quote, transfer } from '../../../../../test/support/payment.js';
import type { Transfer } from '../../../chains/chains.types.js';
import { finalMoney } from '../../domain/final-money.js';
import { leadingReason } from '../../domain/money-reason.js';
import { matchingRule } from '../../unsettled/domain/review.js';
import { decide } from './decide.js';

const MINUTE = 60_000;
const expired = intent({ status: 'expired' });
const fifty = quote({ amountAtoms: 50_000_000n });
const rules = {
  acceptSeenLate: false,
  acceptShortBps: 100,
  acceptShortMinor: 0,
  acceptLateMinutes: 10,
  acceptLateMoveBps: 0,
};
const unknown = { network: () => null, asset: () => null };

/** A price that was paid in time, and after the window so many transfers of next to nothing. */
function withDust(count: number, read: () => void): Transfer[] {
  const dust = Array.from({ length: count }, (_, index) => ({
    id: `tr_${index}`,
    txid: `0x${index}`,
    amountAtoms: 1n,
    uses: [`0xef/${index}`],
    observedAt: at(MINUTE),
    firstSeenAt: at(MINUTE),
    blockTime: at(MINUTE),
  }));
  const price = {
    id: 'price',
    txid: '0xff',
    amountAtoms: 50_000_000n,
    observedAt: at(-1),
    firstSeenAt: at(-1),
  };
  return [price, ...dust].map((given) => counted(given, read));
}

function counted(given: Partial<Transfer>, read: () => void): Transfer {
  return new Proxy(transfer(given), {
    get: (target, field) => {
      read();
      return Reflect.get(target, field) as unknown;
    },
  });
}

/** The same, sent again with as much dust in its place. */
function withReplacedDust(count: number, read: () => void): Transfer[] {
  const [price, ...dust] = withDust(count, read);
  const heirs = dust.map((lost, index) =>
    counted({ ...lost, id: `heir_${index}`, txid: `0xe${index}`, amountAtoms: 3n, inPlaceOf: dust }, read),
  );
  return [price!, ...heirs];
}

/** How often anything of a transfer is looked at. Not a time: it is the same on every machine. */
function looks(
  made: typeof withDust,
  count: number,
  work: (transfers: readonly Transfer[]) => unknown,
): number {
  let reads = 0;
  const transfers = made(count, () => (reads += 1));
  reads = 0;
  work(transfers);
  return reads;
}

// Whoever pays for a thousand transfers to one address buys so many looks at each of them, under the intent's lock.
describe.each([
  ['dust', withDust],
  ['dust that took the place of dust', withReplacedDust],
])('%s costs as much as there is of it', (_kind, made) => {
  it.each<[string, (transfers: readonly Transfer[]) => unknown]>([
    ['decides', (transfers) => decide(intent({ status: 'pending' }), [fifty], factsOf(transfers), at(0))],
    ['says why it is not the price', (transfers) => leadingReason(transfers, open(transfers))],
    ['says what is final', (transfers) => finalMoney(open(transfers), unknown)],
    ['asks the standing rules', (transfers) => matchingRule(expired, fifty, transfers, rules, null)],
  ])('for what %s', (_what, work) => {
    // Ten times as much money: ten looks for one, a few more for its order; a hundred where each is held against each.
    expect(looks(made, 1_000, work) / looks(made, 100, work)).toBeLessThan(25);
  });
});

const open = (transfers: readonly Transfer[]) => ({
  intent: expired,
  quotes: [fifty],
  facts: factsOf([...transfers], { height: 100 }),
});
