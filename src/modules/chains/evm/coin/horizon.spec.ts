import { Horizon } from './horizon.js';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

/** For ten seconds. */
function repeat(horizon: Horizon, height: number): void {
  for (let i = 0; i < 3; i += 1) {
    horizon.refused(height);
    jest.advanceTimersByTime(4_000);
  }
}

it('hides a block of which it is repeated for ten seconds, and what is older', () => {
  const horizon = new Horizon();
  horizon.refused(100);
  horizon.refused(100);
  jest.advanceTimersByTime(9_999);
  horizon.refused(100);
  expect(horizon.hides(100)).toBe(false);
  jest.advanceTimersByTime(1);
  expect([50, 100, 101].map((height) => horizon.hides(height))).toEqual([true, true, false]);
});

it('hides nothing of which it is said twice', () => {
  const horizon = new Horizon();
  horizon.refused(100);
  jest.advanceTimersByTime(600_000);
  horizon.refused(100);
  expect(horizon.hides(100)).toBe(false);
});

it('hides nothing once a block as old was told', () => {
  const horizon = new Horizon();
  repeat(horizon, 100);
  horizon.told(120);
  expect(horizon.hides(100)).toBe(true);
  horizon.told(95);
  expect([90, 95, 100].map((height) => horizon.hides(height))).toEqual([false, false, false]);
  horizon.refused(100);
  expect(horizon.hides(100)).toBe(false);
});

it('moves with the blocks of a node that keeps the newest few', () => {
  const horizon = new Horizon();
  repeat(horizon, 100);
  horizon.told(112);
  repeat(horizon, 112);
  expect([100, 112, 113].map((height) => horizon.hides(height))).toEqual([true, true, false]);
});
