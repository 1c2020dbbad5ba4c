import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { DeadlineExceeded, within } from '../../../platform/deadline.js';
import { OutgoingAgent } from '../../../platform/outgoing/outgoing-agent.js';
import { inTurn } from '../../../platform/turns.js';
import { InconsistentNode } from '../node.errors.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Twenty full blocks of a busy chain, or the traces of one, packed or not: with less, such a chain would stand still. */
const MAX_ANSWER_BYTES = 128 * 1_048_576;

export interface NodeHttpOptions {
  readonly timeoutMs: number;
  /** Raw, and once more unpacked. */
  readonly maxBytes?: number;
}

export interface NodeAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface NodeQuestion {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal | null;
}

/** One question to a node, which may answer anything for any time. Redirects are not followed: they would get the key. */
export class NodeHttp {
  private readonly agent;
  private readonly maxBytes: number;

  constructor(private readonly options: NodeHttpOptions) {
    this.maxBytes = options.maxBytes ?? MAX_ANSWER_BYTES;
    // One deadline covers the whole exchange.
    this.agent = new OutgoingAgent({
      maxBodyBytes: this.maxBytes,
      connectMs: Math.min(options.timeoutMs, CONNECT_TIMEOUT_MS),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** @throws InconsistentNode for an answer that is too late, too much or no answer; else what the connection failed of */
  async post(question: NodeQuestion): Promise<NodeAnswer> {
    const { timeoutMs } = this.options;
    const stopping = question.signal ?? new AbortController().signal;
    try {
      return await within(timeoutMs, stopping, (deadline) => this.exchange(question, deadline));
    } catch (error) {
      if (error instanceof DeadlineExceeded) {
        throw new InconsistentNode(`the node did not answer within ${timeoutMs / 1_000} s`, { cause: error });
      }
      throw isTooLarge(error)
        ? new InconsistentNode('the node answered more than is read of an answer', { cause: error })
        : error;
    }
  }

  private async exchange({ url, headers, body }: NodeQuestion, signal: AbortSignal): Promise<NodeAnswer> {
    const { origin, pathname, search } = new URL(url);
    const answer = await this.agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { ...headers, 'accept-encoding': 'gzip' },
      body,
      signal,
    });
    const [encoding, type] = [answer.headers['content-encoding'], answer.headers['content-type']];
    return {
      status: answer.statusCode,
      contentType: typeof type === 'string' ? type : 'application/json',
      body: await this.read(answer.body, encoding ?? 'identity'),
    };
  }

  private async read(raw: Readable, encoding: string | string[]): Promise<Buffer> {
    // A stream without a listener would throw what happens to it after the loop at the process.
    raw.on('error', () => undefined);
    if (encoding === 'identity') return this.collect(raw);
    if (encoding !== 'gzip' && encoding !== 'x-gzip') {
      raw.destroy();
      throw new InconsistentNode('the node answered in an encoding that it was not asked for');
    }
    const unpacked = createGunzip();
    raw.on('error', (error) => unpacked.destroy(error));
    try {
      return await this.collect(raw.pipe(unpacked));
    } finally {
      raw.destroy();
    }
  }

  private async collect(stream: Readable): Promise<Buffer> {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of stream as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > this.maxBytes) {
        throw new InconsistentNode(`the node answered more than ${this.maxBytes} bytes`);
      }
      parts.push(part);
    }
    return joined(parts, bytes);
  }
}

/** `Buffer.concat`, which takes a tenth of a second for the largest answer, in turns with others. */
async function joined(parts: readonly Buffer[], bytes: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (const part of parts) {
    at += part.copy(whole, at);
    await inTurn();
  }
  return whole;
}

/** The answer, or what TLS carries beside it. */
function isTooLarge(error: unknown): boolean {
  const { code, cause } = fieldsOf(error);
  const codes = [code, fieldsOf(cause).code];
  return codes.includes('ANSWER_TOO_LARGE') || codes.includes('ERR_TLS_TOO_LARGE');
}
