/** What was asked goes on unheard: for questions that cannot be taken back. @throws the signal's reason */
export async function untilAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  answer.catch(() => undefined);
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
