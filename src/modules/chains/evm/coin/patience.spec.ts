import { Patience } from './patience.js';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Fails after so long. */
const failing = (ms: number) => () =>
  new Promise<never>((_, reject) => setTimeout(() => reject(new Error('refused')), ms));

async function look(patience: Patience, ms: number): Promise<string> {
  const outcome = patience.look(failing(ms)).then(
    () => 'done without',
    () => 'the step failed',
  );
  await jest.advanceTimersByTimeAsync(ms);
  return outcome;
}

it('holds up the network for ten seconds of quick refusals, and asks at every step all the same', async () => {
  const patience = new Patience();
  expect(await look(patience, 10)).toBe('the step failed');
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await look(patience, 10)).toBe('the step failed');
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await look(patience, 10)).toBe('done without');
  expect(await patience.look(() => Promise.resolve('told'))).toBe('told');
  expect(await look(patience, 10)).toBe('the step failed');
});

it('waits once for what hangs, and then for a minute only if it answers', async () => {
  const patience = new Patience();
  expect(await look(patience, 20_000)).toBe('done without');
  const hanging = jest.fn(() => new Promise(() => undefined));
  expect(await patience.look(hanging)).toBeNull();
  expect(await patience.look(hanging)).toBeNull();
  expect(hanging).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(3_000);
  const refused = jest.fn(() => Promise.reject(new Error('refused')));
  expect(await patience.look(refused)).toBeNull();
  await jest.advanceTimersByTimeAsync(3_000);
  expect(patience.isResting).toBe(true);
  expect(await patience.look(() => Promise.resolve('told'))).toBeNull();
  expect(await patience.look(() => Promise.resolve('told'))).toBe('told');
});

it('closes the coin for what is late, and gives the next look as long as refusals have', async () => {
  const patience = new Patience(3_000);
  const slow = (ms: number) => () => new Promise((resolve) => setTimeout(() => resolve(`after ${ms}`), ms));
  const told = async (ms: number) => {
    const answer = patience.look(slow(ms));
    await jest.advanceTimersByTimeAsync(ms);
    return answer;
  };
  expect(await told(3_001)).toBeNull();
  expect(patience.isResting).toBe(true);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await told(9_000)).toBe('after 9000');
  expect(await told(9_000)).toBe('after 9000');
  expect(await told(10)).toBe('after 10');
  expect(await told(9_000)).toBeNull();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await told(20_000)).toBeNull();
});
