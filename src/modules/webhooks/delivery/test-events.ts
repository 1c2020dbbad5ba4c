import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { By } from '../../../database/by.js';
import { newId } from '../../../kernel/ids.js';
import { SecretBox } from '../../../platform/secret-box.js';
import { WebhookEndpoint } from '../data/webhook-endpoint.entity.js';
import { webhookEndpointNotFound, webhookTestUnderWay } from '../webhooks.errors.js';
import type { EndpointRef } from '../webhooks.types.js';
import { attempt } from './attempt.js';
import type { Claim } from '../data/claim.statement.js';
import { LEASE_S } from './limits.js';
import { recordAttempts } from '../data/record.statement.js';
import { WebhookSender } from './sender.js';

/**
 * Test events are sent by whoever asks for one, who waits for the answer, and not by the dispatcher: it would leave a
 * disabled endpoint alone, and a process that is no worker (the command line) has none. The delivery is written as
 * one that is claimed already; if this process dies, its lease runs out like any other.
 */
@Injectable()
export class TestEvents {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly dataSource: DataSource,
    private readonly sender: WebhookSender,
    private readonly secretBox: SecretBox,
  ) {}

  /** @returns the delivery's id, once it has been sent and recorded */
  async send(ref: EndpointRef, by: By): Promise<string> {
    const claim = await this.dataSource.transaction(async (tx) => {
      const written = await this.write(tx, ref);
      const { merchantId, endpointId: subject } = ref;
      await by.record(tx, { merchantId, action: 'webhook.tested', subject });
      return written;
    });
    const record = await attempt(claim, claim.claimed_at, {
      sender: this.sender,
      secretBox: this.secretBox,
      random: Math.random,
      onUnsigned: (error) => this.logger.error({ err: error }, 'webhook test could not be signed'),
    });
    const outcome = record.outcome.kind === 'retry' ? ({ kind: 'exhausted' } as const) : record.outcome;
    await recordAttempts(this.dataSource, [{ ...record, outcome }]);
    return claim.delivery_id;
  }

  private async write(tx: EntityManager, ref: EndpointRef): Promise<Claim> {
    const { endpointId, merchantId } = ref;
    // The lock makes the next sequence ours, and one test at a time is all that a person needs.
    const [endpoint] = await tx.query<WebhookEndpoint[]>(
      `SELECT url FROM webhook_endpoint WHERE id = $1 AND merchant_id = $2 AND deleted_at IS NULL
       FOR NO KEY UPDATE`,
      [endpointId, merchantId],
    );
    if (!endpoint) throw webhookEndpointNotFound();
    const [before] = await tx.query<[{ sequence: number; under_way: boolean; now: Date }]>(
      `SELECT coalesce(max(e.sequence), 0) + 1 AS sequence, coalesce(bool_or(d.state = 'sending'), false) AS under_way,
              clock_timestamp() AS now
       FROM event e LEFT JOIN delivery d ON d.event_id = e.id WHERE e.subject = $1`,
      [endpointId],
    );
    if (before.under_way) throw webhookTestUnderWay();
    const id = newId('evt');
    const body = JSON.stringify({
      id,
      type: 'webhook.test',
      timestamp: before.now.toISOString(),
      sequence: before.sequence,
      data: { endpoint: { id: endpointId } },
    });
    const [claim] = await tx.query<[Claim]>(INSERT_CLAIMED, [
      id,
      merchantId,
      endpointId,
      before.sequence,
      body,
    ]);
    return claim;
  }
}

const INSERT_CLAIMED = `
  WITH written AS (
    INSERT INTO event (id, merchant_id, type, subject, sequence, body)
    VALUES ($1, $2, 'webhook.test', $3, $4, $5) RETURNING id, body
  ),
  claimed AS (
    INSERT INTO delivery (event_id, endpoint_id, state, attempts, lease_token, lease_until)
    SELECT id, $3, 'sending', 1, gen_random_uuid(), clock_timestamp() + interval '${LEASE_S} seconds' FROM written
    RETURNING id, event_id, attempts, lease_token
  )
  SELECT c.id AS delivery_id, c.lease_token, w.id AS endpoint_id, c.event_id, c.attempts, e.body, w.url, w.secret,
         CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS previous_secret,
         clock_timestamp() AS claimed_at
  FROM claimed c CROSS JOIN written e JOIN webhook_endpoint w ON w.id = $3`;
