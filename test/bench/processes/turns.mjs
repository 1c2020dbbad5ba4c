// Loaded before a service: how much of the processor the longest turn of its event loop takes. What a turn takes of the clock is the
// machine's as well, which stops a process and lets others go first; the processor is taken by the turn's own work.
import { openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Of a loop that rests. What is done in between is added to the turn behind it: a turn is told by up to so much too long. */
const EVERY_MS = 10;
const bytes = Buffer.alloc(128);

/** What the thread that runs the loop has had of the processor, in milliseconds: by Linux; elsewhere all threads of the process together. */
function clock() {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    return () =>
      Number.parseInt(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)), 10) / 1e6;
  } catch {
    return () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e3;
    };
  }
}

if (isMainThread) {
  const ownMs = clock();
  let longest = { ownMs: 0, tookMs: 0 };
  let last = { ownMs: ownMs(), atMs: performance.now() };
  const look = () => {
    const now = { ownMs: ownMs(), atMs: performance.now() };
    longest = {
      ownMs: Math.max(longest.ownMs, now.ownMs - last.ownMs),
      tookMs: Math.max(longest.tookMs, now.atMs - last.atMs),
    };
    last = now;
  };
  setInterval(look, EVERY_MS).unref();
  process.on('message', (/** @type {any} */ message) => {
    if (!message.turns) return;
    look();
    process.send?.({ turns: longest });
    longest = { ownMs: 0, tookMs: 0 };
  });
}
