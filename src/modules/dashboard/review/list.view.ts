import type { ReviewEntry } from '../../intents/intents.types.js';
import { formatAmount } from '../domain/amounts.js';
import { ago } from '../domain/times.js';
import type { PageModel } from '../door/visit.js';
import { reviewWords, statusWord } from '../payments/words.js';

/** The queue, as the service orders it: punctual money that we saw late first, then the oldest. */
export function queueView(entries: readonly ReviewEntry[], now: Date): PageModel {
  return {
    title: 'Review',
    isEmpty: entries.length === 0,
    entries: entries.map((entry) => ({
      path: `/dashboard/review/${entry.intentId}`,
      id: entry.intentId,
      reason: reviewWords(entry.reason),
      status: statusWord(entry.status),
      amount: formatAmount(entry.amount, entry.currency),
      received: entry.received === null ? null : `${entry.received} ${entry.asset}`,
      percent: entry.receivedPercent,
      isFinal: entry.final,
      hasRequest: entry.refundRequest !== null,
      opened: ago(entry.openedAt, now),
    })),
  };
}
