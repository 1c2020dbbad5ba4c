// What becomes of something is asked again and again: often at first, seldom later, never of a page that nobody sees.

const ANSWER_MS = 20_000;
const SELDOM_MS = 30_000;
const GIVEN_UP_MS = 30 * 60_000;

/**
 * @param look asks once, now. @returns whether to ask again
 * @param oftenMs how long to wait at first; later it is a tenth of what was waited already
 */
export async function lookOn(look, oftenMs) {
  let sinceMs = performance.now();
  for (;;) {
    const waitedMs = performance.now() - sinceMs;
    if (waitedMs > GIVEN_UP_MS) return;
    const nextMs = Math.min(Math.max(oftenMs, waitedMs / 10), SELDOM_MS);
    await new Promise((resolve) => setTimeout(resolve, nextMs));
    if (document.hidden) {
      await untilSeen();
      sinceMs = performance.now();
    }
    if (!(await look())) return;
  }
}

/** @returns `told`: null where no answer came. `isSignedOut`: nobody is signed in any more, and none will come */
export async function answerOf(address) {
  try {
    const signal = AbortSignal.timeout?.(ANSWER_MS);
    const response = await fetch(address, { redirect: 'manual', signal });
    const isSignedOut = response.type === 'opaqueredirect';
    return { isSignedOut, told: response.ok ? await response.json() : null };
  } catch {
    return { isSignedOut: false, told: null };
  }
}

async function untilSeen() {
  while (document.hidden)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
}
