export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

/** A timer that comes later than this comes after a standstill of the process, or of its machine … */
const STANDSTILL_MS = 50;
/** … and then what has come meanwhile has so long to be read: the event loop runs its timers before it reads. */
const READING_MS = 100;

/**
 * Calls `late` after so long, and keeps no process alive.
 * @returns for when nobody waits any more
 */
function afterwards(timeoutMs: number, late: () => void): () => void {
  const dueMs = performance.now() + timeoutMs;
  const up = () => {
    if (performance.now() - dueMs < STANDSTILL_MS) late();
    else timer = setTimeout(late, READING_MS).unref();
  };
  let timer = setTimeout(up, timeoutMs).unref();
  return () => clearTimeout(timer);
}

/**
 * Runs `work` with a signal that is aborted after so long, or with `stopping`. `AbortSignal.any` with
 * `AbortSignal.timeout` says the same and cannot be relied on: Node may collect such a timeout before it fires
 * (nodejs/node#57736), and whatever waits for it waits for ever.
 * @throws what `work` throws; the signal's reason is `DeadlineExceeded`, or that of `stopping`
 */
export async function within<T>(
  timeoutMs: number,
  stopping: AbortSignal,
  work: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const stop = () => deadline.abort(stopping.reason);
  const done = afterwards(timeoutMs, () => deadline.abort(new DeadlineExceeded('not in time')));
  if (stopping.aborted) stop();
  stopping.addEventListener('abort', stop, { once: true });
  try {
    return await work(deadline.signal);
  } finally {
    done();
    stopping.removeEventListener('abort', stop);
  }
}

/**
 * The answer, or `late()` where it has not come after so long; what was asked goes on unheard. By a plain timer, which
 * keeps no process alive: to abort a wait makes two errors with their
 * stacks, which is much where a node gives a thousand answers.
 * @throws what `answer` or `late` throws
 */
export async function orLate<T, L>(answer: Promise<T>, timeoutMs: number, late: () => L): Promise<T | L> {
  let done = (): void => undefined;
  const lateness = new Promise<void>((resolve) => (done = afterwards(timeoutMs, resolve))).then(late);
  try {
    return await Promise.race([answer, lateness]);
  } finally {
    done();
  }
}

/**
 * What was asked goes on unheard: for questions that cannot be taken back, or whose answerer does not listen in time.
 * @throws what `answer` throws, or `refusal()` once the signal is aborted: by default its reason
 */
export async function untilAborted<T>(
  answer: Promise<T>,
  signal: AbortSignal,
  refusal: () => Error = () => signal.reason as Error,
): Promise<T> {
  answer.catch(() => undefined);
  if (signal.aborted) throw refusal();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(refusal());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
