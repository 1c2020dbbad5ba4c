import { FairQueue, type Place } from './fair-queue.js';

const first = (of: string): Place => ({ line: 'first', of });
const second = (of: string): Place => ({ line: 'second', of });

/** A queue whose work ends when it is told to, and what was begun, in order. */
function observed(atOnce: number) {
  const queue = new FairQueue(atOnce);
  const begun: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const run = (name: string, place: Place) =>
    queue.run(place, () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.push((error) => (error ? reject(error) : resolve(name)));
      });
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  /** Ends what was begun first. */
  const end = async (error?: Error) => {
    ends.shift()?.(error);
    await turn();
  };
  const endAll = async () => {
    while (ends.length > 0) await end();
  };
  return { queue, begun, run, end, endAll };
}

it('begins so many at once, and one more whenever one has ended, well or not', async () => {
  const { queue, begun, run, end, endAll } = observed(2);
  const all = ['a', 'b', 'c', 'd'].map((name) => run(name, first('one')));
  expect([begun, queue.waiting(first('one')), queue.waiting(second('one'))]).toEqual([['a', 'b'], 2, 0]);
  const refused = expect(all[0]).rejects.toThrow('failed');
  await end(new Error('failed'));
  await refused;
  expect(begun).toEqual(['a', 'b', 'c']);
  await endAll();
  expect(await Promise.all(all.slice(1))).toEqual(['b', 'c', 'd']);
  expect(queue.waiting(first('one'))).toBe(0);
  const later = run('e', first('one'));
  expect(begun.at(-1)).toBe('e');
  await endAll();
  await later;
});

it('takes one of the second line after each of the first, and whoever waits where the other line is empty', async () => {
  const { begun, run, endAll } = observed(1);
  const all = [
    run('0', first('a')),
    ...['1', '2', '3'].map((name) => run(name, first('a'))),
    ...['x', 'y', 'z', 'w', 'v'].map((name) => run(name, second('s'))),
  ];
  await endAll();
  await Promise.all(all);
  expect(begun.join('')).toBe('0x1y2z3wv');
});

it('lets those of a line take turns, however many one of them has waiting', async () => {
  const { begun, run, endAll } = observed(1);
  const all = [
    ...['a0', 'a1', 'a2', 'a3'].map((name) => run(name, first('a'))),
    run('b1', first('b')),
    run('c1', first('c')),
    run('b2', first('b')),
  ];
  await endAll();
  await Promise.all(all);
  expect(begun).toEqual(['a0', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});
