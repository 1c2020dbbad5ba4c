import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { sign, WEBHOOK_USER_AGENT } from '../../../kernel/webhook-signature.js';
import { within } from '../../../platform/deadline.js';
import { OutgoingAgent } from '../../../platform/outgoing/outgoing-agent.js';
import { ALERT_URL, type AlertUrl } from '../alerts.types.js';
import type { Notice } from '../data/notices.repository.js';

/** All of it together; far inside a notice's lease. */
const DEADLINE_MS = 10_000;

/** Nothing of the answer's body is used. */
const MAX_BODY_BYTES = 16 * 1024;

/**
 * The operator's own receiver: a pager, a chat, an alert manager, often on the private network. The URL comes from the
 * environment, so that nothing guards it as merchants' endpoints are guarded; it is not redirected either.
 */
@Injectable()
export class OperatorWebhook implements OnApplicationShutdown {
  private readonly agent = new OutgoingAgent({
    maxBodyBytes: MAX_BODY_BYTES,
    connectMs: DEADLINE_MS,
  });

  private readonly stopping = new AbortController();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(ALERT_URL) private readonly urlOf: AlertUrl,
  ) {}

  get configured(): boolean {
    return this.config.operator.webhook !== null;
  }

  /**
   * `alert.raised`, and `alert.resolved` for a trouble that it has heard of: two messages, with the same `data.id`.
   * @throws Error unless it answered with 2xx
   */
  async send({ raisedAt, resolvedAt, ...alert }: Notice['alert'], about: Notice['about']): Promise<void> {
    const { webhook } = this.config.operator;
    if (!webhook) throw new Error('no operator’s webhook is configured');
    const link = this.urlOf(alert);
    const isOver = about === 'resolved';
    const data = { ...alert, raisedAt, ...(isOver ? { resolvedAt } : {}), link };
    const timestamp = isOver ? resolvedAt : raisedAt;
    const body = JSON.stringify({ type: `alert.${about}`, timestamp, data });
    // A receiver may drop what it has seen: each message has an id of its own, the same for every try.
    const messageId = isOver ? `${alert.id}_resolved` : alert.id;
    const now = Math.floor(Date.now() / 1_000); // receivers compare it with their own clock, not with the database's
    const { origin, pathname, search } = new URL(webhook.url);
    const headers = {
      'content-type': 'application/json',
      'user-agent': WEBHOOK_USER_AGENT,
      ...(webhook.secret === null ? {} : sign([webhook.secret], messageId, now, body)),
    };
    const statusCode = await within(DEADLINE_MS, this.stopping.signal, async (signal) => {
      const path = pathname + search;
      const response = await this.agent.request({ origin, path, method: 'POST', headers, body, signal });
      await response.body.dump({ limit: 0 }).catch(() => undefined);
      return response.statusCode;
    });
    if (statusCode < 200 || statusCode > 299)
      throw Object.assign(new Error('the webhook refused it'), { responseCode: statusCode });
  }

  onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    return this.agent.destroy();
  }
}
