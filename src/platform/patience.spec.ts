import { Patience } from './patience.js';

const LOOKS = 3;
const patience = () => new Patience({ everyMs: 1, looksInVain: LOOKS });
const gaveUp = (seen: string) => new Error(`gave up at ${seen}`);

/** Sees one of these at each look, the last again and again. */
function seeing(...all: readonly string[]) {
  let looks = 0;
  const look = () => {
    const seen = all[Math.min(looks, all.length - 1)] ?? '';
    looks += 1;
    return Promise.resolve(seen === 'there' ? { found: 7 } : { seen });
  };
  return { look, looks: () => looks };
}

it('waits for as long as something new is seen', async () => {
  const states = ['a', 'b', 'c', 'd'].flatMap((state) => Array<string>(LOOKS).fill(state));
  expect(await patience().until(seeing(...states, 'there').look, gaveUp)).toBe(7);
});

it('gives up after so many looks at which nothing was new, and says what was seen', async () => {
  const { look, looks } = seeing('a', 'b');
  await expect(patience().until(look, gaveUp)).rejects.toThrow('gave up at b');
  // One that sees where it is, one that sees it go on, and those in vain.
  expect(looks()).toBe(2 + LOOKS);
});

it('takes what goes on for one for something that goes on for all', async () => {
  const shared = patience();
  const stuck = shared.until(seeing('a').look, gaveUp);
  const busy = seeing(...Array.from({ length: 20 }, (_, at) => String(at)), 'there');
  let isOver = false;
  const over = stuck.catch(() => (isOver = true));
  await shared.until(() => {
    expect(isOver).toBe(false);
    return busy.look();
  }, gaveUp);
  await over;
  expect(isOver).toBe(true);
});

it('may be told that something goes on', async () => {
  const one = patience();
  let looks = 0;
  const look = () => {
    looks += 1;
    if (looks < 20) one.goesOn();
    return Promise.resolve(looks < 21 ? { seen: 'a' } : { found: looks });
  };
  expect(await one.until(look, gaveUp)).toBe(21);
});

it('does not catch what a look throws', async () => {
  await expect(patience().until(() => Promise.reject(new Error('broken')), gaveUp)).rejects.toThrow('broken');
});
