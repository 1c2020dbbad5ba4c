import { isId } from '../../../kernel/ids.js';

/** Longer than any path that we serve. */
const MAX_PATH_CHARS = 200;

const INTENT_IN_PATH = /^\/api\/v1\/intents\/(pi_\w+)(\/cancel)?$/;

/** The path of a request target as the log keeps it: without the query, where a client may have put anything. */
export function pathOfTarget(target: string): string {
  const end = target.indexOf('?');
  return (end < 0 ? target : target.slice(0, end)).slice(0, MAX_PATH_CHARS);
}

/** Which intent a request was about: the one it names, or the one it made. @param location of the answer */
export function intentOf(path: string, location: string | null): string | null {
  const id = INTENT_IN_PATH.exec(location ?? path)?.[1];
  return id !== undefined && isId('pi', id) ? id : null;
}
