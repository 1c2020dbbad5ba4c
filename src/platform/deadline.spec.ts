import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DeadlineExceeded, within } from './deadline.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Work that ends by nothing but its signal. */
const waiting = (deadline: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const fail = () => reject(deadline.reason as Error);
    if (deadline.aborted) fail();
    deadline.addEventListener('abort', fail, { once: true });
  });

describe('a deadline', () => {
  it('comes, whatever is collected meanwhile', async () => {
    // It keeps no process alive: something else has to, as a server does.
    const alive = setInterval(() => gc(), 1);
    const started = Array.from({ length: 20 }, () => within(50, new AbortController().signal, waiting));
    await turn();
    gc();
    const ended = await Promise.allSettled(started);
    clearInterval(alive);
    expect(ended.map((one) => one.status === 'rejected' && one.reason instanceof DeadlineExceeded)).toEqual(
      started.map(() => true),
    );
  });

  it('is over with what it was for, and comes at once when everything stops', async () => {
    const stopping = new AbortController();
    expect(await within(60_000, stopping.signal, () => Promise.resolve('done'))).toBe('done');
    const running = within(60_000, stopping.signal, waiting);
    stopping.abort(new Error('stopping'));
    await expect(running).rejects.toThrow('stopping');
    await expect(within(60_000, stopping.signal, waiting)).rejects.toThrow('stopping');
  });
});
