import { inTurn } from './turns.js';

/** Blocks for so long, as work does. */
function work(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

async function turnsDuring(done: Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  void done.finally(() => (isDone = true));
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
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
