import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerReader } from '../../../platform/outgoing/outgoing-agent.js';
import { EXCERPT_BYTES, excerptOf, printable } from '../domain/excerpt.js';

/** Reading stops here: the rest of the answer would only cost memory and time. Ample for an honest one, which is then
 * read to its end and leaves the connection in use; a hostile one makes thousands of chunks of it. */
export const MAX_ANSWER_BYTES = 16 * 1024;

/** What has arrived of an answer so far, so that an exchange that breaks off still leaves its trace. */
export class Answer implements AnswerReader {
  httpStatus: number | null = null;
  retryAfter: string | null = null;
  private location: string | null = null;
  private readonly kept: Uint8Array[] = [];
  private bytesRead = 0;

  head(status: number, headers: IncomingHttpHeaders): void {
    this.httpStatus = status;
    this.retryAfter = first(headers, 'retry-after');
    if (status >= 300 && status < 400) this.location = first(headers, 'location');
  }

  /** Up to the limit. */
  body(chunk: Uint8Array): boolean {
    if (this.bytesRead < EXCERPT_BYTES) this.kept.push(chunk);
    this.bytesRead += chunk.length;
    return this.bytesRead < MAX_ANSWER_BYTES;
  }

  /** The first bytes as text; `null` when no answer came. A redirect begins with where it wanted to go. */
  excerpt(): string | null {
    if (this.httpStatus === null) return null;
    const body = excerptOf(Buffer.concat(this.kept));
    return this.location === null ? body : `Location: ${printable(this.location)}\n${body}`;
  }
}

function first(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
