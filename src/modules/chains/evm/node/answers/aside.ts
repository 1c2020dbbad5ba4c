import { randomUUID } from 'node:crypto';

/** Long after viem has answered whoever asked, which takes it no turn of the event loop. */
const KEPT_MS = 60_000;

const results = new Map<unknown, unknown>();

/**
 * Keeps a result while viem, which parses what it is given in one go, reads the rest of the answer.
 * @returns what is given to viem for it, which no node can guess
 */
export function putAside(result: unknown): string {
  const token = randomUUID();
  results.set(token, result);
  // Should viem fail all the same, nobody takes it.
  setTimeout(() => results.delete(token), KEPT_MS).unref();
  return token;
}

/** The result that was put aside, once; `null`, which is not put aside, as it is. */
export function takeBack(token: unknown): unknown {
  if (token === null) return null;
  const result = results.get(token);
  results.delete(token);
  return result;
}

/** Of results that nobody has taken back yet. */
export const countAside = (): number => results.size;
