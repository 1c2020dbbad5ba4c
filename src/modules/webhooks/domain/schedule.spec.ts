import { MAX_RETRY_AFTER_MS, nextWaitMs, WAITS_BEFORE_TRY_MS } from './schedule.js';

const MIDDLE = 0.5;
const HOUR_MS = 3_600_000;

describe('nextWaitMs', () => {
  it('walks the schedule of ten tries', () => {
    const waits = Array.from({ length: 10 }, (_, i) => nextWaitMs(i + 1, null, MIDDLE));
    expect(waits).toEqual([
      5_000,
      300_000,
      1_800_000,
      2 * HOUR_MS,
      5 * HOUR_MS,
      10 * HOUR_MS,
      14 * HOUR_MS,
      20 * HOUR_MS,
      24 * HOUR_MS,
      null,
    ]);
    expect(WAITS_BEFORE_TRY_MS).toHaveLength(10);
    expect(WAITS_BEFORE_TRY_MS[0]).toBe(0);
  });

  it('spreads every wait by a fifth to both sides', () => {
    expect(nextWaitMs(1, null, 0)).toBe(4_000);
    expect(nextWaitMs(1, null, 0.999999)).toBe(6_000);
    expect(nextWaitMs(9, null, 0)).toBe(24 * HOUR_MS * 0.8);
  });

  it('waits longer when the receiver asks for it, never shorter', () => {
    expect(nextWaitMs(1, 60_000, MIDDLE)).toBe(60_000);
    expect(nextWaitMs(1, 0, MIDDLE)).toBe(5_000);
    expect(nextWaitMs(3, 1_000, MIDDLE)).toBe(1_800_000);
  });

  it('caps what the receiver asks for at a day', () => {
    expect(nextWaitMs(1, 31 * 24 * HOUR_MS, MIDDLE)).toBe(MAX_RETRY_AFTER_MS);
    expect(nextWaitMs(1, Infinity, MIDDLE)).toBe(MAX_RETRY_AFTER_MS);
    expect(nextWaitMs(9, Infinity, 0.999999)).toBeCloseTo(24 * HOUR_MS * 1.2, -3);
  });

  it('does not prolong an exhausted schedule', () => {
    expect(nextWaitMs(10, 60_000, MIDDLE)).toBeNull();
    expect(nextWaitMs(11, null, MIDDLE)).toBeNull();
  });
});
