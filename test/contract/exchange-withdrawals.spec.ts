import { EXCHANGES, needsPerson, randomOf, simulate, sums } from '../model/exchanges.js';
import { seedOf } from '../support/run/seed.js';

const seed = seedOf('EXCHANGES_SEED', 'LONG');
const COUNT = 10_000;

describe(`10,000 withdrawals from exchanges with ${EXCHANGES.length} kinds of fees (EXCHANGES_SEED=${seed})`, () => {
  const without = simulate(COUNT, 0, randomOf(seed));
  const half = simulate(COUNT, 0.5, randomOf(seed));
  const all = simulate(COUNT, 1, randomOf(seed));

  it('are of at least twenty kinds, each drawn', () => {
    expect(new Set(without.map(({ exchange }) => exchange)).size).toBe(EXCHANGES.length);
    expect(EXCHANGES.length).toBeGreaterThanOrEqual(20);
  });

  it('need a person in most cases when neither the page nor the merchant helps', () => {
    expect(sums(without, 0).personBps).toBeGreaterThan(6_000);
    expect(sums(without, 0).lossMinor).toBe(0n);
  });

  it('need far fewer with a tolerance of 1 %, which costs a small part of it', () => {
    for (const outcomes of [without, half, all]) {
      const [none, one] = [sums(outcomes, 0), sums(outcomes, 100)];
      expect(one.personBps).toBeLessThan(none.personBps * 0.75);
      expect(one.lossBps).toBeLessThanOrEqual(30);
    }
  });

  it('need fewer the more buyers type what the page’s sum says', () => {
    for (const toleranceBps of [0, 100]) {
      const shares = [without, half, all].map((outcomes) => sums(outcomes, toleranceBps).personBps);
      expect([...shares].sort((a, b) => b - a)).toEqual(shares);
    }
    // What is left came late, was taken both as an amount and a percentage, or was cut by the exchange.
    expect(sums(all, 100).personBps).toBeLessThan(1_000);
  });

  it('never lose the merchant more than the tolerance, on any of them', () => {
    for (const outcome of half.filter((each) => !needsPerson(each, 100))) {
      expect(outcome.short * 100n).toBeLessThanOrEqual(outcome.quoted);
    }
  });
});
