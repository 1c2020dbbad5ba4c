import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AlertsService } from '../alerts/alerts.service.js';
import type { NewAlert } from '../alerts/alerts.types.js';
import type { DisabledReason, EndpointRef } from './webhooks.types.js';

const KIND = 'webhook-endpoint-disabled';

const WHY: Readonly<Record<Exclude<DisabledReason, 'by-merchant'>, string>> = {
  failing:
    'It has taken nothing for five days and refused or missed at least ten events, so we have stopped trying.',
  'answered-410': 'It answered 410 Gone, which says that it wants no more events.',
};

interface DueRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly url: string;
  readonly disabled_reason: keyof typeof WHY;
}

/**
 * Tells a merchant that an endpoint was disabled. The statement that disables only sets `notice_due`, so that
 * recording results stays one statement; whatever process comes by next turns the mark into an alert, in one
 * transaction, so that a crash in between neither loses it nor tells it twice.
 */
@Injectable()
export class DisableNotices {
  constructor(
    private readonly dataSource: DataSource,
    private readonly alerts: AlertsService,
  ) {}

  /** @returns how many merchants were told */
  async announce(): Promise<number> {
    const due = await this.dataSource.query<{ id: string }[]>(
      'SELECT id FROM webhook_endpoint WHERE notice_due ORDER BY id LIMIT 100',
    );
    for (const { id } of due) await this.dataSource.transaction((tx) => this.announceOne(tx, id));
    return due.length;
  }

  /** The endpoint is enabled again, or gone. */
  async withdraw(tx: EntityManager, { endpointId }: EndpointRef): Promise<void> {
    await this.alerts.resolve(tx, KIND, endpointId);
  }

  private async announceOne(tx: EntityManager, id: string): Promise<void> {
    const [[row]] = await tx.query<[DueRow[], number]>(
      `UPDATE webhook_endpoint SET notice_due = false WHERE id = $1 AND notice_due
       RETURNING id, merchant_id, url, disabled_reason`,
      [id],
    );
    if (row) await this.alerts.raise(tx, alertOf(row));
  }
}

/** Names the host alone: a path may carry a token, and mail is read on the way. */
function alertOf({ id, merchant_id: merchantId, url, disabled_reason: reason }: DueRow): NewAlert {
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
