import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** What Node's own client reads of a head. Each header costs the parser about a microsecond, and the shortest has 4 bytes. */
export const MAX_HEAD_BYTES = 16 * 1024;

/** Beside each 8 bytes of body, one may be framing: an honest server's chunks are longer. */
const BODY_PER_FRAMING = 8;
/** Trailers are kept in memory until the answer ends. Enough for the largest answer of all in chunks of one KiB. */
const MAX_FRAMING_BYTES = 1024 * 1024;

/** What may come of one answer, head and framing included, whichever of it turns out to be body. */
export const mostParsedBytes = (maxBodyBytes: number): number =>
  MAX_HEAD_BYTES + maxBodyBytes + MAX_FRAMING_BYTES;

/** Informational answers, headers, chunk sizes, their extensions and trailers cost the parser by their number. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
  readonly code = 'ANSWER_TOO_LARGE';
}

/** Of one connection; what counts is the present answer. */
class Budget {
  private start = 0;
  private bodyBytes = 0;

  constructor(
    private readonly socket: Socket,
    private readonly maxBodyBytes: number,
  ) {
    this.begin();
  }

  begin(): void {
    this.start = this.parsed;
    this.bodyBytes = 0;
  }

  addBody(bytes: number): void {
    this.bodyBytes += bytes;
  }

  /** What the parser may still be given before it has shown that more of it is body. */
  get left(): number {
    const body = Math.min(this.bodyBytes, this.maxBodyBytes);
    const framing = Math.min(Math.floor(body / BODY_PER_FRAMING), MAX_FRAMING_BYTES);
    return this.start + MAX_HEAD_BYTES + body + framing - this.parsed;
  }

  /** Bytes of the connection. What the parser puts back because nobody wants it yet is buffered again. */
  private get parsed(): number {
    return this.socket.bytesRead - this.socket.readableLength;
  }
}

const budgets = new WeakMap<Socket, Budget>();
const budgetOf = new WeakMap<object, Budget>();

// Undici's documented channels are the only place that knows on which connection a request goes out, and what of its
// answer is body.
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as { request: object; socket: Socket };
  const budget = budgets.get(socket);
  if (!budget) return;
  budget.begin();
  budgetOf.set(request, budget);
});
subscribe('undici:request:bodyChunkReceived', (message) => {
  const { request, chunk } = message as { request: object; chunk: Uint8Array };
  budgetOf.get(request)?.addBody(chunk.length);
});

/**
 * Destroys the connection once one answer has a larger body, or more around it than an honest one has. To the byte and
 * before it is parsed: Node reads a socket in parts of 64 KiB, and one that is all headers takes milliseconds.
 */
export function limitAnswers(socket: Socket, maxBodyBytes: number): void {
  const budget = new Budget(socket, maxBodyBytes);
  budgets.set(socket, budget);
  const read = socket.read.bind(socket) as (bytes?: number) => Buffer | null;
  socket.read = (bytes?: number) => {
    // The stream's own, which asks for more and takes nothing: what it took here would be lost.
    if (bytes === 0) return read(0);
    const { left } = budget;
    // Also with nothing to read: the stream learns by it that more is wanted.
    if (socket.readableLength <= left) return read();
    if (left > 0) return read(left);
    socket.destroy(new AnswerTooLarge('the answer has more bytes than are read'));
    return null;
  };
}
