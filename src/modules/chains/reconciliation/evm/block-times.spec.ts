import { BlockTimes } from './block-times.js';

const HOUR_MS = 3_600_000;
const TIP = 1_000;
/** A block an hour, of a node that tells one time otherwise. */
const timesWith = (falseAt: number, hours: number) =>
  new BlockTimes({
    block: (height) =>
      Promise.resolve({
        height,
        hash: `0x${height}`,
        time: new Date((height === falseAt ? hours : height) * HOUR_MS),
      }),
  });

it('begins a few hours before an address was issued', async () => {
  await expect(timesWith(-1, 0).firstAt(TIP, 700 * HOUR_MS)).resolves.toBe(697);
});

it('begins with the first block, or the last, where nothing is before or after', async () => {
  await expect(timesWith(-1, 0).firstAt(TIP, 0)).resolves.toBe(0);
  await expect(timesWith(-1, 0).firstAt(TIP, 2 * TIP * HOUR_MS)).resolves.toBe(TIP);
});

// The bisection looks at 500, 750, 625, …: each of these times would lead it to another block.
it.each([
  ['too early', 750, 1],
  ['too late', 500, 990],
  ['far too early, near what is sought', 698, 0],
])('is not judged by a time that is %s', async (_what, height, hours) => {
  await expect(timesWith(height, hours).firstAt(TIP, 700 * HOUR_MS)).rejects.toThrow('is older than the one');
});
