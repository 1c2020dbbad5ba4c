import type { Dispatcher } from 'undici';
import { DeadlineExceeded, untilAborted, within } from '../platform/deadline.js';
import { OutgoingAgent } from '../platform/outgoing/outgoing-agent.js';

/** As long as the service itself waits for an answer. */
const TIMEOUT_MS = 10_000;
/** Ample for a page of one payment: whoever sends more is another server than was meant. */
const MAX_BODY_BYTES = 256 * 1024;

/** One for all: a command asks few, and one after the other. */
const agent = new OutgoingAgent({
  connectMs: TIMEOUT_MS,
  maxBodyBytes: MAX_BODY_BYTES,
  // A connection that is kept would keep the command from ending.
  pipelining: 0,
});

export interface Question {
  /** GET where nothing is said. */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the question; the reason is what it throws. */
  readonly stopping?: AbortSignal;
  /** For all of the answer. */
  readonly timeoutMs?: number;
}

const NEVER = new AbortController().signal;

/**
 * Asks a server for a command, and has `read` take from its answer what is wanted: the rest is not received. Redirects are not followed.
 * @returns what `read` returns
 * @throws DeadlineExceeded, named by the server, for an answer that is not whole in time; what ended the connection, a system's code
 *   among its fields; what `read` throws
 */
export async function askServer<T>(
  url: string,
  { method = 'GET', headers = {}, body, stopping = NEVER, timeoutMs = TIMEOUT_MS }: Question,
  read: (answer: Dispatcher.ResponseData) => T | Promise<T>,
): Promise<T> {
  const { origin, pathname, search } = new URL(url);
  const exchange = async (signal: AbortSignal): Promise<T> => {
    const answer = await agent.request({
      origin,
      path: pathname + search,
      method,
      // Nothing is ever decompressed, so a small answer cannot become a large one.
      headers: { 'accept-encoding': 'identity', ...headers },
      body,
      signal,
    });
    // Of what is torn off nobody wants to hear.
    answer.body.on('error', () => undefined);
    try {
      return await read(answer);
    } finally {
      answer.body.destroy();
    }
  };
  try {
    // Not by the abort alone: undici hears of it only once a connection stands or has failed.
    return await within(timeoutMs, stopping, (signal) => untilAborted(exchange(signal), signal));
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    throw new DeadlineExceeded(`${origin} did not answer within ${timeoutMs / 1_000} s`);
  }
}
