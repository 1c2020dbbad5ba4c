import { mulDiv } from '../../../kernel/arithmetic.js';
import { completionThreshold, fiatValue } from '../../../kernel/crypto-amount.js';
import type { Facts, Transfer } from '../../chains/chains.types.js';
import type { StandingRules } from '../../merchants/merchants.types.js';
import type { Rate } from '../../rates/rates.types.js';
import type { ReviewReason } from '../intents.types.js';
import type { Intent, Quote } from './model.js';
import { quotedPrice } from './options.js';
import { priceOf } from './settlement.js';
import {
  countingTransfersOf,
  hasDepth,
  liveTransfers,
  liveTransfersOf,
  observedAt,
  sumAtoms,
} from './transfers.js';

/** Live money of a terminal intent that no settlement and no dismissal covers. */
export function uncovered(quotes: readonly Quote[], facts: Facts, covered: ReadonlySet<string>): Transfer[] {
  return liveTransfers(quotes, facts).filter(({ id }) => !covered.has(id));
}

/** The quote that an accept would settle: the one with the most of what it asked for. `null` when none was paid. */
export function paidQuote(quotes: readonly Quote[], facts: Facts): Quote | null {
  const share = (quote: Quote) =>
    mulDiv(sumAtoms(liveTransfersOf(quote, facts)), 1_000_000n, quote.amountAtoms, 'down');
  const paid = quotes.filter((quote) => liveTransfersOf(quote, facts).length > 0);
  return paid.sort((a, b) => Number(share(b) - share(a)))[0] ?? null;
}

/** Why an intent is in the queue. */
export function reviewReason(intent: Intent, quotes: readonly Quote[], facts: Facts): ReviewReason {
  if (intent.status === 'settled') return 'after-settlement';
  if (intent.status === 'cancelled') return 'after-cancellation';
  if (intent.status === 'failed') return 'after-failure';
  const quote = paidQuote(quotes, facts);
  if (!quote) return 'other-asset';
  const threshold = completionThreshold(quote.amountAtoms, quote.toleranceBps);
  if (sumAtoms(countingTransfersOf(quote, facts, intent.expiresAt)) >= threshold) return 'in-time-seen-late';
  return sumAtoms(liveTransfersOf(quote, facts)) >= threshold ? 'late' : 'underpaid';
}

/** Whether everything that an accept names has the settlement depth: nothing less may settle. */
export function isFinal(quote: Quote, facts: Facts): boolean {
  const tip = facts.tips.get(quote.network);
  const transfers = liveTransfersOf(quote, facts);
  return (
    transfers.length > 0 && transfers.every((transfer) => hasDepth(transfer, quote.settlementDepth, tip))
  );
}

/** The standing rule that accepts this expired intent, by name, or `null`. */
export function matchingRule(
  intent: Intent,
  quote: Quote,
  facts: Facts,
  rules: StandingRules,
  rateNow: Rate | null,
): 'seen-late' | 'short' | 'late' | null {
  const reason = reviewReason(intent, [quote], facts);
  if (reason === 'in-time-seen-late') return rules.acceptSeenLate ? 'seen-late' : null;
  // Late money is judged by the rule for late money too: a price that fell meanwhile is the merchant's loss.
  const isPunctual = liveTransfersOf(quote, facts).every(
    (transfer) => observedAt(transfer) <= intent.expiresAt,
  );
  if (!isPunctual && !isLateWithin(intent, quote, facts, rules, rateNow)) return null;
  if (reason === 'underpaid') return isShortWithin(quote, facts, rules) ? 'short' : null;
  return reason === 'late' ? 'late' : null;
}

function isShortWithin(quote: Quote, facts: Facts, rules: StandingRules): boolean {
  const missing = quote.amountAtoms - sumAtoms(liveTransfersOf(quote, facts));
  const allowed = mulDiv(quote.amountAtoms, BigInt(rules.acceptShortBps), 10_000n, 'down');
  if (missing <= allowed) return true;
  return fiatValue(missing, priceOf(quote), quote.decimals, 'up') <= BigInt(rules.acceptShortMinor);
}

function isLateWithin(
  intent: Intent,
  quote: Quote,
  facts: Facts,
  rules: StandingRules,
  rateNow: Rate | null,
): boolean {
  const last = liveTransfersOf(quote, facts).at(-1);
  if (!last || !rateNow || rules.acceptLateMinutes === 0) return false;
  const lateMs = observedAt(last).getTime() - intent.expiresAt.getTime();
  if (lateMs > rules.acceptLateMinutes * 60_000) return false;
  const [before, after] = [priceOf(quote), quotedPrice(rateNow, quote.spreadBps)];
  const a = before.numerator * after.denominator;
  const b = after.numerator * before.denominator;
  const move = a > b ? a - b : b - a;
  return mulDiv(move, 10_000n, a, 'up') < BigInt(rules.acceptLateMoveBps);
}
