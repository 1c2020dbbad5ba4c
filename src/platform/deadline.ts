export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

/**
 * What is to be done where time is up, once all is read that has come by then: after a standstill of the process or its
 * machine the event loop runs its timers first, and an answer that has lain in its socket for long would be late.
 */
const onceRead = (late: () => void) => () => void setImmediate(late);

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
  const expire = () => deadline.abort(new DeadlineExceeded('not in time'));
  const timer = setTimeout(onceRead(expire), timeoutMs);
  timer.unref();
  if (stopping.aborted) stop();
  stopping.addEventListener('abort', stop, { once: true });
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
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
  let timer: NodeJS.Timeout | undefined;
  const lateness = new Promise<void>((resolve) => {
    timer = setTimeout(onceRead(resolve), timeoutMs);
    timer.unref();
  }).then(late);
  try {
    return await Promise.race([answer, lateness]);
  } finally {
    clearTimeout(timer);
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
