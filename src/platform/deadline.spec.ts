import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MessageChannel, Worker } from 'node:worker_threads';
import { DeadlineExceeded, orLate, untilAborted, within } from './deadline.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

const NEVER = new AbortController().signal;

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

describe('an answer that may be late', () => {
  const never = new Promise<string>(() => undefined);
  /** A timer that keeps no process alive needs something else that does. */
  let alive: NodeJS.Timeout;
  beforeEach(() => void (alive = setInterval(() => undefined, 1)));
  afterEach(() => clearInterval(alive));

  it('is the answer, or its failure, where that comes in time, and leaves no timer', async () => {
    const late = jest.fn(() => 'late');
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    expect(await orLate(Promise.resolve('answer'), 20, late)).toBe('answer');
    await expect(orLate(Promise.reject(new Error('refused')), 20, late)).rejects.toThrow('refused');
    expect(timers()).toBe(before);
    await sleep(40);
    expect(late).not.toHaveBeenCalled();
  });

  it('is what stands for it once the time is up', async () => {
    expect(await orLate(never, 5, () => null)).toBeNull();
    const refuse = () => {
      throw new Error('too late');
    };
    await expect(orLate(never, 5, refuse)).rejects.toThrow('too late');
  });

  it('fails nobody when it fails after its time', async () => {
    const failed = sleep(10).then(() => Promise.reject(new Error('nobody listens')));
    expect(await orLate(failed, 1, () => 'late')).toBe('late');
    await sleep(20);
  });
});

describe('until aborted', () => {
  const never = () => new Promise<string>(() => undefined);

  it('an answer is waited for, and no longer than the signal says', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve('in time'), signal)).toBe('in time');
    const stopped = new AbortController();
    const waiting = untilAborted(never(), stopped.signal);
    stopped.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });

  it('is refused in the words of whoever waits, also where it was too late before', async () => {
    const late = () => new Error('no answer in time');
    await expect(untilAborted(never(), AbortSignal.abort(), late)).rejects.toThrow('no answer in time');
  });
});

/** Says "answer", and then wakes who sleeps on `said`. */
const ANSWERER = `
  const { workerData: { said, port } } = require('node:worker_threads');
  port.postMessage('answer');
  Atomics.store(said, 0, 1);
  Atomics.notify(said, 0);`;

/** As a long answer is, between the parts of which everybody else has the process. */
async function readInTurns(answer: string): Promise<string> {
  for (let part = 0; part < 10; part += 1) await turn();
  return answer;
}

it.each([
  ['a wait', (answer: Promise<string>) => orLate(answer, 20, () => 'late')],
  ['a deadline', (answer: Promise<string>) => within(20, NEVER, (signal) => untilAborted(answer, signal))],
])('of %s: what came while the process stood still is not late', async (_name, wait) => {
  const { port1, port2 } = new MessageChannel();
  const said = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(ANSWERER, {
    eval: true,
    workerData: { said, port: port2 },
    transferList: [port2],
  });
  // After an immediate the event loop runs its timers, and reads what has come after that.
  await turn();
  const came = new Promise<string>((resolve) => port1.once('message', resolve));
  const answer = wait(came.then(readInTurns));
  // Nothing of this thread goes on until the answer has come and the time is long up.
  Atomics.wait(said, 0, 0);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  await expect(answer).resolves.toBe('answer');
  await worker.terminate();
});
