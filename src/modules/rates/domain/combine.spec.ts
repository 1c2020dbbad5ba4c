import fc from '../../../../test/support/run/fast-check.js';
import { priceText } from '../rates.pure.js';
import { combine, type Sample } from './combine.js';
import { elapsedMs } from './instant.js';
import { compare, readPrice } from './price.js';

const NOW = { wallMs: 1_790_000_000_000, monotonicMs: 900_000 };
const POLICY = { maxAgeMs: 300_000, maxDeviationBps: 200 };

const sample = (source: string, price: string, ageMs = 0): Sample => ({
  source,
  price: readPrice(price)!,
  at: { wallMs: NOW.wallMs - ageMs, monotonicMs: NOW.monotonicMs - ageMs },
  via: null,
});
const judged = (...samples: Sample[]) => {
  const { rate, used, dropped } = combine(samples, NOW, POLICY);
  return [rate && priceText(rate.price), used.map((s) => s.source), dropped.map((d) => d.source + d.reason)];
};

describe('combine', () => {
  it.each([
    ['the middle of three', ['100', '101', '100.5'], '100.5'],
    ['the mean of two', ['100', '101'], '100.5'],
    ['the two that agree', ['100', '101', '150'], '100.5'],
    ['two at the edge of the guard', ['100', '102'], '101'],
    ['nothing from two that are further apart than the guard', ['98', '102'], null],
    ['nothing from two camps, each near a middle that nobody named', ['98', '98', '102', '102'], null],
    ['nothing from the same two camps, in whatever order they speak', ['98', '102', '102', '98'], null],
    ['the middle one of three, however far its neighbours are from each other', ['98', '100', '102'], '100'],
    ['nothing from two camps', ['100', '100', '110', '110'], null],
    ['nothing from one', ['100'], null],
    ['nothing from none', [], null],
  ])('takes %s', (_name, prices, expected) => {
    expect(judged(...prices.map((price, n) => sample(`s${n}`, price)))[0]).toBe(expected);
  });

  it('names who was used, who was too far off and who was too old', () => {
    expect(
      judged(sample('a', '100'), sample('b', '101'), sample('c', '150'), sample('d', '100', 300_001)),
    ).toEqual(['100.5', ['a', 'b'], ['dstale', 'cdeviant']]);
  });

  it('believes a price of exactly the maximum age, and not a millisecond more', () => {
    expect(judged(sample('a', '100'), sample('b', '100', 300_000))[0]).toBe('100');
    expect(judged(sample('a', '100'), sample('b', '100', 300_001))).toEqual([null, [], ['bstale']]);
  });

  it('tells how far the furthest of them is from the middle, whichever spoke first', () => {
    const samples = [sample('a', '100'), sample('b', '101'), sample('c', '100.5'), sample('d', '110')];
    for (const some of [samples, samples.toReversed()])
      expect(combine(some, NOW, POLICY).deviationBps).toBe(919);
    expect(combine([], NOW, POLICY).deviationBps).toBeNull();
  });

  it('is as old as its oldest part', () => {
    const { rate } = combine([sample('a', '100', 1_000), sample('b', '100', 20_000)], NOW, POLICY);
    expect(elapsedMs(rate!.at, NOW)).toBe(20_000);
  });
});

describe('combine, whatever the sources say', () => {
  const cents = fc.integer({ min: 1, max: 100_000_000 });
  const anySample = (source: string) =>
    fc
      .record({ cents, ageMs: fc.integer({ min: 0, max: 600_000 }) })
      .map((given) => sample(source, (given.cents / 100).toFixed(2), given.ageMs));
  const anySamples = fc.tuple(...['a', 'b', 'c', 'd', 'e'].map(anySample));
  /** Prices within 0.5 % of each other. */
  const agreeing = fc.array(fc.integer({ min: 100_000, max: 100_500 }), { minLength: 2, maxLength: 6 });

  it('stays within the samples it used, which are at least two, fresh and near', () => {
    fc.assert(
      fc.property(anySamples, (samples) => {
        const { rate, used } = combine(samples, NOW, POLICY);
        expect(rate === null).toBe(used.length === 0);
        if (!rate) return;
        const sorted = used.map(({ price }) => price).sort(compare);
        expect(used.length).toBeGreaterThanOrEqual(2);
        expect(used.every(({ at }) => elapsedMs(at, NOW) <= POLICY.maxAgeMs)).toBe(true);
        expect(compare(rate.price, sorted[0]!)).toBeGreaterThanOrEqual(0);
        expect(compare(rate.price, sorted.at(-1)!)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('does not care in which order they speak', () => {
    fc.assert(
      fc.property(anySamples, (samples) => {
        const [forth, back] = [combine(samples, NOW, POLICY), combine([...samples].reverse(), NOW, POLICY)];
        expect(forth.rate && priceText(forth.rate.price)).toBe(back.rate && priceText(back.rate.price));
      }),
    );
  });

  it('gives one that is far off no say: the rate is the same with it and without it', () => {
    const far = fc.oneof(fc.integer({ min: 1, max: 90_000 }), fc.integer({ min: 110_000, max: 10 ** 9 }));
    fc.assert(
      fc.property(agreeing, far, (prices, off) => {
        const honest = prices.map((price, n) => sample(`s${n}`, String(price)));
        // With two honest ones the median of three is one of them; the outlier is dropped all the same.
        const without = combine(honest, NOW, POLICY).rate;
        const with_ = combine([...honest, sample('far', String(off))], NOW, POLICY).rate;
        expect(priceText(with_!.price)).toBe(priceText(without!.price));
      }),
    );
  });

  it('ignores the old entirely', () => {
    fc.assert(
      fc.property(agreeing, cents, (prices, old) => {
        const fresh = prices.map((price, n) => sample(`s${n}`, String(price)));
        const aged = combine([...fresh, sample('old', String(old), 300_001)], NOW, POLICY).rate;
        expect(priceText(aged!.price)).toBe(priceText(combine(fresh, NOW, POLICY).rate!.price));
      }),
    );
  });
});
