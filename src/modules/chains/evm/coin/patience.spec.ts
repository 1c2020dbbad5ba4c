import { HELD_UP_MS, Patience } from './patience.js';

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
  const patience = new Patience(HELD_UP_MS);
  expect(await look(patience, 10)).toBe('the step failed');
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await look(patience, 10)).toBe('the step failed');
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await look(patience, 10)).toBe('done without');
  expect(await patience.look(() => Promise.resolve('told'))).toBe('told');
  expect(await look(patience, 10)).toBe('the step failed');
});

it('waits three seconds for what hangs, and then for a minute only if it answers aside', async () => {
  const patience = new Patience(HELD_UP_MS);
  expect(await look(patience, 20_000)).toBe('done without');
  const hanging = jest.fn(() => new Promise(() => undefined));
  expect(await patience.look(hanging)).toBeNull();
  expect(await patience.look(hanging)).toBeNull();
  expect(hanging).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(3_000);
  const refused = jest.fn(() => Promise.reject(new Error('refused')));
  expect(await patience.look(refused)).toBeNull();
  await jest.advanceTimersByTimeAsync(3_000);
  const told = () => Promise.resolve('told');
  expect(await patience.look(told)).toBeNull();
  await jest.advanceTimersByTimeAsync(0);
  expect(await patience.look(told)).toBe('told');
});

it('closes the coin for what takes longer than three seconds each time', async () => {
  const patience = new Patience(HELD_UP_MS);
  const slow = () => new Promise((resolve) => setTimeout(() => resolve('told'), 8_000));
  for (let i = 0; i < 20; i += 1) {
    const beganMs = performance.now();
    const answer = patience.look(slow);
    await jest.advanceTimersByTimeAsync(i === 0 ? 3_000 : 0);
    expect(await answer).toBeNull();
    expect(performance.now() - beganMs).toBe(i === 0 ? 3_000 : 0);
    await jest.advanceTimersByTimeAsync(1_000);
  }
});

it('holds up nothing for a refusal where nothing may be held up', async () => {
  const patience = new Patience(0);
  expect(await look(patience, 10)).toBe('done without');
  expect(await patience.look(() => Promise.resolve('told'))).toBe('told');
});
