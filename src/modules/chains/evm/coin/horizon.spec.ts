import { Horizon } from './horizon.js';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

it('hides a block of which an error is repeated for ten seconds, and what is older', () => {
  const horizon = new Horizon();
  horizon.refused(100);
  jest.advanceTimersByTime(9_999);
  horizon.refused(100);
  expect(horizon.hides(100)).toBe(false);
  jest.advanceTimersByTime(1);
  expect([horizon.hides(100), horizon.hides(50)]).toEqual([true, true]);
});

it('hides nothing as new as what is told', () => {
  const horizon = new Horizon();
  horizon.refused(100);
  horizon.told(120);
  jest.advanceTimersByTime(10_000);
  expect([110, 119, 120, 130].map((height) => horizon.hides(height))).toEqual([true, true, false, false]);
});

it('hides nothing once a block as old was told: the error has passed', () => {
  const horizon = new Horizon();
  horizon.refused(100);
  horizon.refused(90);
  horizon.told(95);
  jest.advanceTimersByTime(10_000);
  expect([horizon.hides(90), horizon.hides(95)]).toEqual([true, false]);
  horizon.told(90);
  expect(horizon.hides(90)).toBe(false);
  horizon.refused(80);
  expect(horizon.hides(80)).toBe(false);
});
