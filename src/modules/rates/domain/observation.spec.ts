import { elapsedMs, olderOf } from './instant.js';
import { learn } from './observation.js';
import { readPrice } from './price.js';

const NOW = { wallMs: 1_790_000_000_000, monotonicMs: 500_000 };
const price = readPrice('1')!;
const told = (ageMs: number | null) => ({
  pair: 'BTC/USD' as const,
  price,
  atMs: ageMs === null ? null : NOW.wallMs - ageMs,
});
const ageOf = (ageMs: number | null) => {
  const observation = learn(new Map(), [told(ageMs)], NOW).get('BTC/USD');
  return observation && elapsedMs(observation.at, NOW);
};

describe('elapsedMs', () => {
  it('does not let a rate grow younger when the clock is set back, nor stay young while the machine slept', () => {
    const later = { wallMs: NOW.wallMs - 3_600_000, monotonicMs: NOW.monotonicMs + 10_000 };
    expect(elapsedMs(NOW, later)).toBe(10_000);
    const woken = { wallMs: NOW.wallMs + 3_600_000, monotonicMs: NOW.monotonicMs + 10_000 };
    expect(elapsedMs(NOW, woken)).toBe(3_600_000);
    expect(olderOf(NOW, later, woken)).toBe(later);
  });
});

describe('learn', () => {
  it('dates a price by its source, or by when it was asked for', () => {
    expect(ageOf(20_000)).toBe(20_000);
    expect(ageOf(null)).toBe(0);
  });

  it('forgives a clock that is a little ahead, not one that lives in the future', () => {
    expect(ageOf(-60_000)).toBe(0);
    expect(ageOf(-60_001)).toBeUndefined();
  });

  it('forgets what was answered without a price, and keeps what was not answered', () => {
    const known = learn(new Map(), [told(0), { pair: 'ETH/USD', price, atMs: null }], NOW);
    const next = learn(known, [{ pair: 'BTC/USD', price: null, atMs: null }], NOW);
    expect([...next.keys()]).toEqual(['ETH/USD']);
  });
});
