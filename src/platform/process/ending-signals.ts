/** Ctrl-C, a supervisor, a terminal that is closed. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes on what the terminal has already sent to the whole group, and supervisors signal all that they started. */
const MOMENT_MS = 2_000;

/**
 * The first signal stops in good order. Whatever follows within a moment is the same wish, told by somebody else; a
 * later one is a person who will not wait, and ends the process at once.
 */
export function onEndingSignal(stop: () => void): void {
  let firstAtMs: number | null = null;
  const onSignal = () => {
    const nowMs = performance.now();
    if (firstAtMs === null) {
      firstAtMs = nowMs;
      stop();
    } else if (nowMs - firstAtMs > MOMENT_MS) process.exit(1);
  };
  for (const signal of ENDING) process.on(signal, onSignal);
}
