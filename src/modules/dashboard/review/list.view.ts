import { formatDecimal, trimZeros } from '../../../kernel/decimal.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { ReviewEntry } from '../../intents/reviews.types.js';
import { type AmountText, coinAmount, fiatAmount, formatAmount } from '../domain/amounts.js';
import { ago } from '../domain/times.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import { reviewMessage } from '../payments/messages.js';
import type { PageModel } from '../session/request-context.js';
import { arrivedOf } from './arrived.js';

/** The queue, as the service orders it: punctual money that we saw late first, then the oldest. */
export function queueView(say: Say, entries: readonly ReviewEntry[], now: Date): PageModel {
  return {
    title: say('Review'),
    isEmpty: entries.length === 0,
    entries: entries.map((entry) => ({
      path: pathTo('review', entry.intentId),
      name: visibleText(
        entry.title ??
          say('Payment of {amount}', { amount: formatAmount(say, entry.amountMinor, entry.currency) }),
      ),
      reason: reviewMessage(say, entry.reason),
      amount: fiatAmount(say, entry.amountMinor, entry.currency),
      received: receivedOf(say, entry),
      percent: entry.receivedBps === null ? null : trimZeros(formatDecimal(entry.receivedBps, 2)),
      // Money that was not asked for is final too, though nothing can be accepted with it.
      isFinal: entry.final || (entry.asset === null && entry.transfers.every(({ final }) => final)),
      hasRequest: entry.refundRequest !== null,
      opened: ago(entry.openedAt, now),
    })),
  };
}

/** Of the asset that was asked for, else of what came instead; `null` where that is of several kinds. */
function receivedOf(say: Say, entry: ReviewEntry): AmountText | null {
  if (entry.received !== null && entry.asset !== null) return coinAmount(say, entry.received, entry.asset);
  const [first, ...more] = arrivedOf(entry);
  return first?.amount && more.length === 0 ? coinAmount(say, first.amount, first.asset) : null;
}
