import { fieldsOf } from '../../../kernel/error-fields.js';
import { OutgoingAgent } from '../../../platform/outgoing/outgoing-agent.js';
import { SourceError } from '../domain/sources/answer.js';

/** Ample for a ticker; a source that sends more is broken or hostile. */
const MAX_BYTES = 1024 * 1024;
/** The largest that a source may ask for: Kraken's list of pairs. */
export const MOST_BYTES = 8 * MAX_BYTES;

/** Enough to be quick, few enough for the limits of services that cost nothing. */
const CONNECTIONS = 4;

const HEADERS = {
  accept: 'application/json',
  'user-agent': 'Rappen/1.0',
  // Nothing is ever decompressed, so a small answer cannot become a large one.
  'accept-encoding': 'identity',
};

export interface Asked {
  readonly maxBytes?: number;
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
      maxBodyBytes: MOST_BYTES,
    });
  }

  /** @throws SourceError for anything but JSON with status 200 within the limit */
  async get(origin: string, path: string, signal: AbortSignal, asked: Asked = {}): Promise<unknown> {
    const { maxBytes = MAX_BYTES, headers = {} } = asked;
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
      return parse(await read(answer.body, maxBytes));
    } catch (error) {
      throw error instanceof SourceError ? error : new SourceError(reasonOf(error));
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

async function read(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new SourceError(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SourceError('the answer is not JSON');
  }
}

/** A code ("ECONNREFUSED") or a kind ("TimeoutError"); messages of the network carry addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { code } = fieldsOf(error);
  return typeof code === 'string' ? code : error.name;
}
