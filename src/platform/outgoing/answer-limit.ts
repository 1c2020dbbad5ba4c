import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Node reads a socket in parts of 64 KiB: less than one of them could not tell headers from the body behind them. */
export const MAX_HEAD_BYTES = 64 * 1024;

/** Chunk extensions and trailers are in no other limit, and each costs the parser time. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
  readonly code = 'ANSWER_TOO_LARGE';
}

interface Budget {
  readonly maxBodyBytes: number;
  /** What the connection may have brought in all before it is cut: earlier answers are not this one's. */
  limit: number;
}

const budgets = new WeakMap<Socket, Budget>();
const socketOf = new WeakMap<object, Socket>();

// Undici's documented channels are the only place that knows on which connection a request goes out, and when the
// headers of its answer are there.
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as { request: object; socket: Socket };
  const budget = budgets.get(socket);
  if (!budget) return;
  budget.limit = socket.bytesRead + MAX_HEAD_BYTES;
  socketOf.set(request, socket);
});
subscribe('undici:request:headers', (message) => {
  const { request, response } = message as { request: object; response: { statusCode: number } };
  const socket = response.statusCode >= 200 ? socketOf.get(request) : undefined;
  const budget = socket && budgets.get(socket);
  if (budget) budget.limit += budget.maxBodyBytes;
});

/**
 * Destroys the connection once one answer has brought more raw bytes than these, whatever they are. What the parser
 * has seen is what counts, so that it has had the chance to find the end of the headers.
 */
export function limitAnswers(socket: Socket, maxBodyBytes: number): void {
  const budget = { maxBodyBytes, limit: socket.bytesRead + MAX_HEAD_BYTES };
  let parsedBytes = socket.bytesRead;
  budgets.set(socket, budget);
  // In front of the parser's own listener, so that it never sees what is too much.
  socket.prependListener('readable', () => {
    if (parsedBytes >= budget.limit)
      socket.destroy(new AnswerTooLarge('the answer has more bytes than are read'));
    parsedBytes = socket.bytesRead;
  });
}
