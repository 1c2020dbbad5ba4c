import { type SignatureHeaders, WEBHOOK_USER_AGENT } from '../../../kernel/webhook-signature.js';
import { orLate } from '../../../platform/deadline.js';
import { OutgoingAgent } from '../../../platform/outgoing/outgoing-agent.js';
import type { AddressPolicy } from '../domain/address-policy.js';
import { judgeEndpointUrl } from '../domain/endpoint-url.js';
import { Answer, MAX_ANSWER_BYTES } from './answer.js';
import { type AttemptError, attemptErrorOf } from './attempt-error.js';
import type { Resolve } from './resolve.js';
import { vettedConnector } from './vetted-connector.js';

/** For connecting, headers and body together: a receiver that drips its answer gets no more than that. */
const SEND_DEADLINE_MS = 10_000;

/** Shorter than the 5 s after which common servers close an idle connection: a POST on one that is just being
 * closed fails and is tried again seconds later. */
const KEEP_ALIVE_MS = 2_000;
const MAX_KEEP_ALIVE_MS = 10_000;

export const FIXED_HEADERS = {
  'content-type': 'application/json',
  'user-agent': WEBHOOK_USER_AGENT,
  // Nothing is ever decompressed, so a small answer cannot become a large one.
  'accept-encoding': 'identity',
};

export interface SenderOptions {
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  readonly deadlineMs?: number;
  /** Trusted certificates instead of the system's, for tests. */
  readonly ca?: string;
}

export interface WebhookRequest {
  readonly url: string;
  readonly signature: SignatureHeaders;
  readonly body: string;
}

export interface SendResult {
  readonly httpStatus: number | null;
  readonly error: AttemptError | null;
  readonly durationMs: number;
  /** First 1 KiB of the answer as printable text; `null` when none came. */
  readonly response: string | null;
  /** The header as it came; `parseRetryAfter` reads it. */
  readonly retryAfter: string | null;
}

/** Carries one signed request to a receiver that may be slow, broken or hostile. */
export class WebhookSender {
  private readonly agent: OutgoingAgent;
  private readonly deadlineMs: number;

  constructor(private readonly options: SenderOptions) {
    this.deadlineMs = options.deadlineMs ?? SEND_DEADLINE_MS;
    this.agent = new OutgoingAgent({
      maxBodyBytes: MAX_ANSWER_BYTES,
      connectMs: this.deadlineMs,
      connect: vettedConnector({ ...options, timeoutMs: this.deadlineMs }),
      ca: options.ca,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
      // The one deadline below covers all of it; these would only cut a slow answer into more kinds of slow.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Never throws: whatever happens on the way is part of the result. */
  async send(request: WebhookRequest): Promise<SendResult> {
    const startedAtMs = performance.now();
    const answer = new Answer();
    const error = await this.exchange(request, answer);
    return {
      httpStatus: answer.httpStatus,
      error,
      durationMs: Math.round(performance.now() - startedAtMs),
      response: answer.excerpt(),
      retryAfter: answer.retryAfter,
    };
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async exchange(request: WebhookRequest, answer: Answer): Promise<AttemptError | null> {
    // Judged again, because a database that moves from a sandbox to production brings its URLs along.
    const verdict = judgeEndpointUrl(request.url, this.options.policy);
    if (!verdict.ok) return 'url-refused';
    const { origin, pathname, search } = verdict.url;
    const { ended, abort } = this.agent.exchange(
      {
        origin,
        path: pathname + search,
        method: 'POST',
        headers: { ...FIXED_HEADERS, ...request.signature },
        body: request.body,
      },
      answer,
    );
    const done = ended.then(() => null, attemptErrorOf);
    // Not by the abort alone: undici hears of it only once a connection stands or has failed.
    return orLate(done, this.deadlineMs, () => {
      abort();
      return 'timeout' as const;
    });
  }
}
