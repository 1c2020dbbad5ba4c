import { mulDiv } from '../../../kernel/arithmetic.js';
import { completionThreshold } from '../../../kernel/crypto-amount.js';
import type { Facts, Transfer } from '../../chains/chains.types.js';
import type { ReviewReason } from '../reviews.types.js';
import type { Intent, Quote } from './model.js';
import { sumCountingBy, sumSeenBy } from './observed.js';
import { belongsTo, liveTransfersOf, sumAtoms } from './transfers.js';

/** An intent that has ended, with the money of which somebody must say what it is. */
export interface Open {
  readonly intent: Pick<Intent, 'status' | 'expiresAt' | 'quoteId' | 'settledAt'>;
  readonly quotes: readonly Quote[];
  /** Without what a settlement or a decision covers. */
  readonly facts: Facts;
}

/** What a person should read first where there are several. */
const BY_WEIGHT: readonly ReviewReason[] = [
  'in-time-seen-late',
  'late',
  'underpaid',
  'beside-settlement',
  'after-settlement',
  'cancelled',
  'failed',
  'other-quote',
  'other-asset',
  'other-network',
  'before-issue',
];

/** Why each transfer of an ended intent is not its price: the one answer of queue, alert, event and accounting export. */
export function reasonsIn({ intent, quotes, facts }: Open): (transfer: Transfer) => ReviewReason {
  const { status, settledAt } = intent;
  const isSettled = status === 'settled';
  const paid = isSettled ? null : paidQuote(quotes, facts);
  const paidId = isSettled ? intent.quoteId : paid?.id;
  const ofExpired = paid && expiredReason(intent, paid, liveTransfersOf(paid, facts));
  const ofSettled = ({ firstSeenAt }: Transfer) =>
    settledAt && firstSeenAt <= settledAt ? 'beside-settlement' : 'after-settlement';
  return (transfer) => {
    if (transfer.beforeIssue) return 'before-issue';
    if (status === 'cancelled' || status === 'failed') return status;
    const quote = quotes.find((candidate) => belongsTo(transfer, candidate));
    if (quote) return quote.id === paidId ? (ofExpired ?? ofSettled(transfer)) : 'other-quote';
    const isAtQuote = ({ network, watchedAddress }: Quote) =>
      network === transfer.network && watchedAddress === transfer.address;
    return quotes.some(isAtQuote) ? 'other-asset' : 'other-network';
  };
}

/** Of several transfers, the reason that matters most. */
export function leadingReason(transfers: readonly Transfer[], open: Open): ReviewReason {
  const reasons = new Set(transfers.map(reasonsIn(open)));
  return BY_WEIGHT.find((reason) => reasons.has(reason)) ?? 'before-issue';
}

/** The quote with the most of what it asked for. `null` when none was paid. */
export function paidQuote(quotes: readonly Quote[], facts: Facts): Quote | null {
  const share = (quote: Quote) =>
    mulDiv(sumAtoms(liveTransfersOf(quote, facts)), 1_000_000n, quote.amountAtoms, 'down');
  const paid = quotes.filter((quote) => liveTransfersOf(quote, facts).length > 0);
  return paid.sort((a, b) => Number(share(b) - share(a)))[0] ?? null;
}

/** What all money of a quote is together: a part of the price is too little, whenever it came. */
export function expiredReason(
  { expiresAt }: Pick<Intent, 'expiresAt'>,
  quote: Quote,
  transfers: readonly Transfer[],
): 'in-time-seen-late' | 'late' | 'underpaid' {
  if (isUnderpaid(quote, transfers)) return 'underpaid';
  const threshold = completionThreshold(quote.amountAtoms, quote.toleranceBps);
  // What we saw in time, and was then lost and came back, is not our lateness; nor is what nobody needed.
  const isUnseen = sumSeenBy(transfers, expiresAt) < threshold;
  if (isUnseen && sumCountingBy(transfers, expiresAt) >= threshold) return 'in-time-seen-late';
  return 'late';
}

/** Whether it is less than the price, the quoted tolerance considered. */
export function isUnderpaid(quote: Quote, transfers: readonly Transfer[]): boolean {
  return sumAtoms(transfers) < completionThreshold(quote.amountAtoms, quote.toleranceBps);
}
