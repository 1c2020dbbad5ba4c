import { fieldsOf } from '../../../kernel/error-fields.js';
import type { ReceivedEvent } from './received-events.js';

interface Assets {
  readonly css: string;
  readonly favicon: string;
}

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** Newest first: who looks has just paid. */
export function receivedView(events: readonly ReceivedEvent[], assets: Assets) {
  return {
    assets,
    documentTitle: 'What the demo shop received',
    events: events.toReversed().map(({ receivedAt, verified, webhookId, body }) => ({
      title: titleOf(body) || webhookId || 'without an id',
      iso: receivedAt,
      at: `${MOMENT.format(new Date(receivedAt))}\u00a0UTC`,
      isForged: !verified,
      body: typeof body === 'string' ? body : JSON.stringify(body, null, 2),
    })),
  };
}

/** "payment.status: settled", as far as the body says so. */
function titleOf(body: unknown): string {
  const { type, data } = fieldsOf(body);
  const { status } = fieldsOf(fieldsOf(data).intent);
  const words = [type, status].filter((word) => typeof word === 'string');
  return words.join(': ');
}
