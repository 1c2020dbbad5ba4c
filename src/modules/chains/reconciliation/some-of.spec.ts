import { someOf } from './some-of.js';

const all = [0, 1, 2, 3, 4];

it('takes all where they are few', () => {
  expect(someOf(all, 5, () => 0.9)).toEqual(all);
});

it.each([
  [0, [0, 1, 2]],
  [0.5, [2, 3, 4]],
  [0.999, [4, 0, 1]],
])('takes so many from a random one on (%d)', (random, expected) => {
  expect(someOf(all, 3, () => random)).toEqual(expected);
});

it('takes each one sooner or later', () => {
  const taken = new Set<number>();
  for (let i = 0; i < all.length; i++) for (const one of someOf(all, 1, () => i / all.length)) taken.add(one);
  expect(taken.size).toBe(all.length);
});
