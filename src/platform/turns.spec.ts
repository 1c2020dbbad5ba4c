import { inTurn } from './turns.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Blocks for so long, as work does. */
function work(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

async function turnsDuring(done: Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  void done.finally(() => (isDone = true));
  while (!isDone) {
    await turn();
    turns += 1;
  }
  return turns;
}

const inParts = async (count: number, ms: number) => {
  for (let i = 0; i < count; i += 1) {
    await inTurn();
    work(ms);
  }
};

it('long work lets the others have a turn of the event loop after each ten milliseconds of it', async () => {
  expect(await turnsDuring(inParts(20, 11))).toBeGreaterThanOrEqual(20);
});

it('so it does when much of it goes on at once: in each turn one of them works', async () => {
  const all = Promise.all(Array.from({ length: 10 }, () => inParts(2, 11)));
  expect(await turnsDuring(all)).toBeGreaterThanOrEqual(20);
});

it('what is short waits for a turn once at most', async () => {
  expect(await turnsDuring(inParts(1_000, 0))).toBeLessThan(100);
});

it('what began in an earlier turn has no share in this one, whatever the clock said then', async () => {
  const real = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => real() + 3_600_000);
  await inParts(1, 0);
  clock.mockRestore();
  await turn();
  expect(await turnsDuring(inParts(20, 11))).toBeGreaterThanOrEqual(20);
});
