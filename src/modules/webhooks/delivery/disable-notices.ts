import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AlertsService } from '../../alerts/alerts.service.js';
import type { NewAlert } from '../../alerts/alerts.types.js';
import { EndpointsRepository } from '../data/endpoints.repository.js';
import type { WebhookEndpointEntity } from '../data/webhook-endpoint.entity.js';
import type { DisabledReason, EndpointRef } from '../webhooks.types.js';

const KIND = 'webhook-endpoint-disabled';

const WHY: Readonly<Record<Exclude<DisabledReason, 'by-merchant'>, string>> = {
  failing:
    'It has taken nothing for five days and refused or missed at least ten events, so we have stopped trying.',
  'answered-410': 'It answered 410 Gone, which says that it wants no more events.',
};

/** At a time; the rest is told with the next turn. */
const BATCH = 100;

/**
 * Tells a merchant that an endpoint was disabled. The statement that disables only sets `notice_due`, so that
 * recording results stays one statement; whatever process comes by next turns the mark into an alert, in one
 * transaction, so that a crash in between neither loses it nor tells it twice.
 */
@Injectable()
export class DisableNotices {
  constructor(
    private readonly dataSource: DataSource,
    private readonly endpoints: EndpointsRepository,
    private readonly alerts: AlertsService,
  ) {}

  /** @returns how many merchants were told */
  async announce(): Promise<number> {
    const due = await this.endpoints.dueNotices(BATCH);
    for (const id of due) await this.dataSource.transaction((tx) => this.announceOne(tx, id));
    return due.length;
  }

  /** The endpoint is enabled again, or gone. */
  async withdraw(tx: EntityManager, { endpointId }: EndpointRef): Promise<void> {
    await this.alerts.resolve(tx, KIND, endpointId);
  }

  private async announceOne(tx: EntityManager, id: string): Promise<void> {
    const endpoint = await this.endpoints.takeNotice(tx, id);
    const reason = endpoint?.disabledReason;
    if (endpoint && reason && reason !== 'by-merchant')
      await this.alerts.raise(tx, disabledAlert(endpoint, reason));
  }
}

/** Names the host alone: a path may carry a token, and mail is read on the way. */
export function disabledAlert(
  { id, merchantId, url }: Pick<WebhookEndpointEntity, 'id' | 'merchantId' | 'url'>,
  reason: keyof typeof WHY,
): NewAlert {
  const { host } = new URL(url);
  return {
    kind: KIND,
    subject: id,
    merchantId,
    summary: `Webhooks to ${host} have stopped`,
    detail:
      `The webhook endpoint ${id} at ${host} has been disabled. ${WHY[reason]} Its events are still written and ` +
      'held for it. Enable it once it works again, and choose whether what was held is to be sent.',
    data: { endpointId: id, reason },
  };
}
