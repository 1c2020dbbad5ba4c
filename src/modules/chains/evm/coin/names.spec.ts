import { MOST_BEHIND_MS, Names } from './names.js';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

const MINUTES = 60_000;

it('are sought while coin is behind now and then', () => {
  const names = new Names();
  for (let i = 0; i < 5; i += 1) {
    names.note(3);
    jest.advanceTimersByTime(5_000);
    names.note(0);
    jest.advanceTimersByTime(1 * MINUTES);
  }
  expect(names.areSought).toBe(true);
});

it('are given up for ten minutes where coin was behind for too long in all, and then sought again', () => {
  const names = new Names();
  for (let behindMs = 0; behindMs <= MOST_BEHIND_MS; behindMs += 6_000) {
    names.note(1);
    jest.advanceTimersByTime(6_000);
    names.note(0);
    names.note(1);
  }
  expect(names.areSought).toBe(false);
  names.note(0);
  jest.advanceTimersByTime(9 * MINUTES);
  expect(names.areSought).toBe(false);
  jest.advanceTimersByTime(1 * MINUTES);
  expect(names.areSought).toBe(true);
});

it('are given up at once where the states of what is behind would be gone soon', () => {
  const names = new Names();
  names.note(64);
  expect(names.areSought).toBe(true);
  names.note(65);
  expect(names.areSought).toBe(false);
});
