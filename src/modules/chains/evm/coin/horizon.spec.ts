import { Horizon } from './horizon.js';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

/** For ten seconds. */
function repeat(horizon: Horizon, ...depths: number[]): void {
  for (const depth of depths) {
    horizon.refused(depth);
    jest.advanceTimersByTime(4_000);
  }
}
const hidden = (horizon: Horizon, depths: readonly number[]) =>
  depths.filter((depth) => horizon.hides(depth));

it('hides states as deep as what is refused for ten seconds', () => {
  const horizon = new Horizon();
  horizon.refused(100);
  horizon.refused(100);
  jest.advanceTimersByTime(9_999);
  horizon.refused(100);
  expect(hidden(horizon, [100])).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(hidden(horizon, [50, 99, 100, 200])).toEqual([100, 200]);
});

it('hides nothing of which it is said twice, however long ago', () => {
  const horizon = new Horizon();
  horizon.refused(100);
  jest.advanceTimersByTime(600_000);
  horizon.refused(100);
  expect(hidden(horizon, [100])).toEqual([]);
  horizon.refused(100);
  expect(hidden(horizon, [100])).toEqual([100]);
});

it('hides nothing any more once all was told, or believed to be gone', () => {
  const horizon = new Horizon();
  repeat(horizon, 100, 100, 100);
  horizon.forget();
  horizon.refused(100);
  expect(hidden(horizon, [100])).toEqual([]);
});

it('holds no more than it needs', () => {
  const horizon = new Horizon();
  repeat(horizon, 100, 100, 100);
  repeat(horizon, ...Array.from({ length: 1_000 }, (_, i) => 200 + i));
  expect(hidden(horizon, [99, 100, 1_300])).toEqual([100, 1_300]);
});

it('hides nothing once a state as deep was told', () => {
  const horizon = new Horizon();
  repeat(horizon, 100, 100, 100);
  horizon.told(90);
  expect(hidden(horizon, [90, 100])).toEqual([100]);
  horizon.told(105);
  horizon.refused(100);
  expect(hidden(horizon, [90, 100, 110])).toEqual([]);
});

it('follows blocks that come faster than it believes', () => {
  const horizon = new Horizon();
  // The same block, forty blocks deeper each time: what is as deep by now was told before.
  repeat(horizon, 129, 169, 209);
  expect(hidden(horizon, [129, 208, 209, 249])).toEqual([209, 249]);
  repeat(horizon, 129);
  expect(hidden(horizon, [128, 129, 130])).toEqual([]);
  repeat(horizon, 129);
  expect(hidden(horizon, [128, 129, 130])).toEqual([129, 130]);
});
