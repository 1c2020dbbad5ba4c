import { setTimeout as sleep } from 'node:timers/promises';
import { RappenProblem, RappenUnreachable } from './errors.js';
import type { Problem } from './types.js';

export interface RappenOptions {
  /** The address of the service, such as `https://api.shop.example`. */
  readonly baseUrl: string;
  /** `svc_live_…`. A secret: never in a browser. */
  readonly apiKey: string;
  /** How often a request is tried again. 3 unless told otherwise; 0 for never. */
  readonly retries?: number;
  /** For each try. 20 s unless told otherwise: the service itself gives up on a request after 15. */
  readonly timeoutMs?: number;
  /** The longest wait between two tries. 60 s unless told otherwise, which is a whole window of the rate limit. */
  readonly maxWaitMs?: number;
  /** Instead of Node's own: through a proxy, or watched. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call, its retries and waits. */
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

interface Call extends CallOptions {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

const FIRST_WAIT_MS = 250;
const TOO_MANY_REQUESTS = 429;
const REQUEST_TIMEOUT = 408;

/** Sends requests that may be repeated safely, and repeats them while the service cannot answer. */
export class Transport {
  private readonly retries: number;
  private readonly timeoutMs: number;
  private readonly maxWaitMs: number;
  private readonly fetch: typeof fetch;

  constructor(private readonly options: RappenOptions) {
    this.retries = options.retries ?? 3;
    this.timeoutMs = options.timeoutMs ?? 20_000;
    this.maxWaitMs = options.maxWaitMs ?? 60_000;
    this.fetch = options.fetch ?? fetch;
  }

  /** @throws RappenProblem, RappenUnreachable; what the caller's signal was aborted with */
  async send(call: Call): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const outcome = await this.try(call);
      if (!(outcome instanceof Error)) return outcome;
      call.signal?.throwIfAborted();
      const waitMs = this.waitMs(outcome, tries);
      if (waitMs === null) throw outcome.error;
      await sleep(waitMs, undefined, { signal: call.signal });
    }
  }

  private async try({ method, path, body, signal }: Call): Promise<Answer | Failure> {
    const limit = AbortSignal.timeout(this.timeoutMs);
    try {
      const response = await this.fetch(new URL(path, this.options.baseUrl), {
        method,
        body,
        headers: {
          authorization: `Bearer ${this.options.apiKey}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        // The API never redirects; what does is not the service, and must not be shown the key.
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      return read(response, await response.text());
    } catch (error) {
      return new Failure(
        new RappenUnreachable('The service could not be reached.', null, { cause: error }),
        true,
      );
    }
  }

  /** Milliseconds until the next try, `null` when there is none. */
  private waitMs({ again, retryAfterS }: Failure, tries: number): number | null {
    if (!again || tries > this.retries) return null;
    const backoffMs = FIRST_WAIT_MS * 2 ** (tries - 1) * (0.5 + Math.random() / 2);
    const waitMs = Math.max(backoffMs, retryAfterS * 1000);
    return waitMs <= this.maxWaitMs ? waitMs : null;
  }
}

/** Why a try did not succeed, and whether another one may. */
class Failure extends Error {
  constructor(
    readonly error: RappenProblem | RappenUnreachable,
    readonly again: boolean,
    readonly retryAfterS = 0,
  ) {
    super();
  }
}

function read(response: Response, text: string): Answer | Failure {
  const { status, headers, ok } = response;
  const body = parse(text);
  if (ok && body !== undefined) return { status, headers, body };
  const again = status >= 500 || status === TOO_MANY_REQUESTS || status === REQUEST_TIMEOUT || ok;
  const retryAfter = headers.get('retry-after') ?? '';
  const error = isProblem(body)
    ? new RappenProblem(body)
    : new RappenUnreachable(`Something else than the service answered, with ${status}.`, status);
  return new Failure(error, again, /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : 0);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(body: unknown): body is Problem {
  const { code, traceId } = (body ?? {}) as Partial<Problem>;
  return typeof code === 'string' && typeof traceId === 'string';
}
