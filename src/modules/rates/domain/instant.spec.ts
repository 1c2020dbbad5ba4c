import { earlierBy, elapsedMs, olderOf } from './instant.js';

const NOW = { wallMs: 1_790_000_000_000, monotonicMs: 900_000 };

it('the age is what the clock says that counted more', () => {
  const before = { wallMs: NOW.wallMs - 1_000, monotonicMs: NOW.monotonicMs - 3_000 };
  expect(elapsedMs(before, NOW)).toBe(3_000);
  expect(elapsedMs({ ...before, wallMs: NOW.wallMs - 9_000 }, NOW)).toBe(9_000);
  expect(elapsedMs({ wallMs: NOW.wallMs + 1, monotonicMs: NOW.monotonicMs }, NOW)).toBe(0);
});

it('earlier is so by both clocks', () => {
  expect(earlierBy(NOW, 400)).toEqual({ wallMs: NOW.wallMs - 400, monotonicMs: NOW.monotonicMs - 400 });
});

it('the older of two is the same in either order', () => {
  const [old, young] = [earlierBy(NOW, 2), earlierBy(NOW, 1)];
  expect([olderOf(old, young, NOW), olderOf(young, old, NOW)]).toEqual([old, old]);
});
