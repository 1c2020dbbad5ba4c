import { fieldsOf } from '../../../kernel/error-fields.js';
import { AnswerTooLarge } from '../../../platform/outgoing/answer-limit.js';
import type { JsonLimits } from '../../../platform/outgoing/json-pieces.js';
import { parseLargeJson } from '../../../platform/outgoing/large-json.js';
import { OutgoingAgent } from '../../../platform/outgoing/outgoing-agent.js';
import { SourceError } from '../domain/sources/answer.js';

export interface AnswerLimits extends JsonLimits {
  readonly bytes: number;
}

/** Of a name, a number or a reason; the longest are sentences about a limit. */
const MOST_TEXT_BYTES = 4 * 1024;
/** Ample for a ticker: the longest, a table of some hundred rates, has 20 kB. A source that sends more is broken or hostile. */
const TICKER: AnswerLimits = {
  bytes: 256 * 1024,
  values: 20_000,
  levels: 20,
  textBytes: MOST_TEXT_BYTES,
};
/** Of an exchange that lists some 1,500 markets, each in about 700 bytes and 90 values. */
export const LIST_OF_MARKETS: AnswerLimits = {
  bytes: 4 * 1024 * 1024,
  values: 500_000,
  levels: 20,
  textBytes: MOST_TEXT_BYTES,
};

/** Enough to be quick, few enough for the limits of services that cost nothing. */
const CONNECTIONS = 4;

const HEADERS = {
  accept: 'application/json',
  'user-agent': 'Rappen/1.0',
  // Nothing is ever decompressed, so a small answer cannot become a large one.
  'accept-encoding': 'identity',
};

export interface Asked {
  /** Those of a ticker where nothing is said. */
  readonly limits?: AnswerLimits;
  /** Beyond those that every source gets; a key is never part of an address. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks price sources. Redirects are not followed, and no error repeats an address. */
export class PriceHttp {
  private readonly agent: OutgoingAgent;

  /** @param timeoutMs for connecting; the deadline of the whole turn comes as a signal */
  constructor(timeoutMs: number) {
    this.agent = new OutgoingAgent({
      connections: CONNECTIONS,
      connectMs: timeoutMs,
      maxBodyBytes: LIST_OF_MARKETS.bytes,
    });
  }

  /** @throws SourceError for anything but JSON with status 200 within the limits */
  async get(origin: string, path: string, signal: AbortSignal, asked: Asked = {}): Promise<unknown> {
    const { limits = TICKER, headers = {} } = asked;
    try {
      const answer = await this.agent.request({
        origin,
        path,
        method: 'GET',
        headers: { ...HEADERS, ...headers },
        signal,
      });
      if (answer.statusCode !== 200) {
        await answer.body.dump({ limit: 0 }).catch(() => undefined);
        throw new SourceError(`HTTP ${answer.statusCode}`, answer.statusCode);
      }
      return await parse(await read(answer.body, limits.bytes), limits);
    } catch (error) {
      throw error instanceof SourceError ? error : new SourceError(reasonOf(error));
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

async function read(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new SourceError(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function parse(json: Buffer, limits: JsonLimits): Promise<unknown> {
  try {
    return await parseLargeJson(json, limits);
  } catch (error) {
    const reason = error instanceof AnswerTooLarge ? `is more than is read: ${error.message}` : 'is not JSON';
    throw new SourceError(`the answer ${reason}`);
  }
}

/** A code ("ECONNREFUSED") or a kind ("TimeoutError"); messages of the network carry addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { code } = fieldsOf(error);
  return typeof code === 'string' ? code : error.name;
}
