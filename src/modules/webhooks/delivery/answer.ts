import type { Dispatcher } from 'undici';
import { EXCERPT_BYTES, excerptOf, printable } from '../domain/excerpt.js';

/** Reading stops here: the rest of the answer would only cost memory and time. Ample for an honest one, which is then
 * read to its end and leaves the connection in use; a hostile one makes thousands of chunks of it. */
export const MAX_ANSWER_BYTES = 16 * 1024;

type Headers = Dispatcher.ResponseData['headers'];

/** What has arrived of an answer so far, so that an exchange that breaks off still leaves its trace. */
export class Answer {
  httpStatus: number | null = null;
  retryAfter: string | null = null;
  private location: string | null = null;
  private readonly kept: Uint8Array[] = [];
  private bytesRead = 0;

  /** Reads up to the limit and then destroys the connection. Rejects when the body breaks off before. */
  async read(response: Dispatcher.ResponseData): Promise<void> {
    this.httpStatus = response.statusCode;
    this.retryAfter = first(response.headers, 'retry-after');
    if (response.statusCode >= 300 && response.statusCode < 400) {
      this.location = first(response.headers, 'location');
    }
    // Leaving the loop early destroys the stream, and a stream without a listener would throw that at the process.
    response.body.on('error', () => undefined);
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      if (this.bytesRead < EXCERPT_BYTES) this.kept.push(chunk);
      this.bytesRead += chunk.length;
      if (this.bytesRead >= MAX_ANSWER_BYTES) return;
    }
  }

  /** The first bytes as text; `null` when no answer came. A redirect begins with where it wanted to go. */
  excerpt(): string | null {
    if (this.httpStatus === null) return null;
    const body = excerptOf(Buffer.concat(this.kept));
    return this.location === null ? body : `Location: ${printable(this.location)}\n${body}`;
  }
}

function first(headers: Headers, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
