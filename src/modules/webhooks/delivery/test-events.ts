import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { By } from '../../../database/by.js';
import { newId } from '../../../kernel/ids.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import type { Claim } from '../data/claim.statement.js';
import { EndpointsRepository } from '../data/endpoints.repository.js';
import { recordAttempts } from '../data/record.statement.js';
import { insertClaimedTest, lastTest } from '../data/test-event.statement.js';
import { webhookEndpointNotFound, webhookTestUnderWay } from '../webhooks.errors.js';
import type { EndpointRef } from '../webhooks.types.js';
import { attempt } from './attempt.js';
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
    private readonly endpoints: EndpointsRepository,
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
    const record = await attempt(claim, claim.claimedAt, {
      sender: this.sender,
      secretBox: this.secretBox,
      random: Math.random,
      onUnsigned: (error) => this.logger.error({ err: error }, 'webhook test could not be signed'),
    });
    const outcome = record.outcome.kind === 'retry' ? ({ kind: 'exhausted' } as const) : record.outcome;
    await recordAttempts(this.dataSource, [{ ...record, outcome }]);
    return claim.deliveryId;
  }

  private async write(tx: EntityManager, ref: EndpointRef): Promise<Claim> {
    const { endpointId } = ref;
    // The lock makes the next sequence ours, and one test at a time is all that a person needs.
    if ((await this.endpoints.lockState(tx, ref)) === null) throw webhookEndpointNotFound();
    const last = await lastTest(tx, endpointId);
    if (last.isUnderWay) throw webhookTestUnderWay();
    const sequence = last.sequence + 1;
    const id = newId('evt');
    const body = JSON.stringify({
      id,
      type: 'webhook.test',
      timestamp: last.now.toISOString(),
      sequence,
      data: { endpoint: { id: endpointId } },
    });
    return insertClaimedTest(tx, ref, { id, sequence, body });
  }
}
