import { type SettledDay, summarize } from './summary.js';

const FROM = new Date('2026-11-20T00:00:00.000Z');
const settled: SettledDay[] = [
  { day: '2026-11-20', currency: 'EUR', minor: 1000n, count: 1 },
  { day: '2026-11-22', currency: 'CHF', minor: 9007199254740993n, count: 2 },
  { day: '2026-11-22', currency: 'EUR', minor: 250n, count: 3 },
];
const conversion = { created: 9, settled: 6, medianS: 42, ever: true };
const summary = summarize(FROM, 3, settled, conversion);

it('every day of the period has its place, also one without a payment', () => {
  expect(summary.days).toEqual([
    { day: '2026-11-20', minorByCurrency: { EUR: 1000n }, count: 1 },
    { day: '2026-11-21', minorByCurrency: {}, count: 0 },
    { day: '2026-11-22', minorByCurrency: { CHF: 9007199254740993n, EUR: 250n }, count: 5 },
  ]);
});

it('currencies are summed apart, to the cent, in one order; those without a payment are left out', () => {
  expect(summary.settled).toEqual([
    { currency: 'CHF', minor: 9007199254740993n, count: 2 },
    { currency: 'EUR', minor: 1250n, count: 4 },
  ]);
});

it('tells how many of what was created are settled, and how fast', () => {
  expect(summary).toMatchObject({
    from: FROM,
    created: 9,
    createdAndSettled: 6,
    medianSettleS: 42,
    everSettled: true,
  });
});
