import { exponentialWaitMs, jitter } from './backoff.js';

it('a wait is spread by its fraction to both sides', () => {
  expect([0, 0.5, 1].map((random) => jitter(1_000, 0.2, random))).toEqual([800, 1_000, 1_200]);
  expect(jitter(10, 0.25, 0.9)).toBe(12);
});

it('waits double from the floor to the ceiling, and stay there for ever', () => {
  const waits = [0, 1, 2, 3, 4, 30, 10_000].map((failures) => exponentialWaitMs(failures, 100, 1_000));
  expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000]);
});
