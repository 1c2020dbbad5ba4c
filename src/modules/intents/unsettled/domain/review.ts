import { mulDiv } from '../../../../kernel/arithmetic.js';
import { fiatValue } from '../../../../kernel/crypto-amount.js';
import type { Facts, Transfer } from '../../../chains/chains.types.js';
import type { StandingRules } from '../../../merchants/merchants.types.js';
import type { Rate } from '../../../rates/rates.types.js';
import type { Intent, Quote } from '../../domain/model.js';
import { expiredReason, paidQuote } from '../../domain/money-reason.js';
import { quotedPrice } from '../../domain/quoting.js';
import { priceOf } from '../../domain/settlement.js';
import { finalTransfersOf, liveTransfers, sumAtoms, whollyObservedAt } from '../../domain/transfers.js';

/** Live money of a terminal intent that no settlement and no dismissal covers. */
export function uncovered(quotes: readonly Quote[], facts: Facts, covered: ReadonlySet<string>): Transfer[] {
  return liveTransfers(quotes, facts).filter(({ id }) => !covered.has(id));
}

/** The one that an accept would settle: by what is final; where nothing is yet, by everything that was paid. */
export function acceptableQuote(quotes: readonly Quote[], facts: Facts): Quote | null {
  const transfers = quotes.flatMap((quote) => finalTransfersOf(quote, facts));
  return paidQuote(quotes, transfers.length > 0 ? { ...facts, transfers } : facts);
}

export type StandingRule = 'seen-late' | 'short' | 'late';

/**
 * The standing rule that accepts an expired intent, with the most of this money that it accepts. Whatever came later
 * than that stays in the queue: a rule is not undone by an atom that somebody adds.
 * @param transfers of one quote, in the order in which they were observed: all that is final, for an accept
 */
export function matchingRule(
  intent: Intent,
  quote: Quote,
  transfers: readonly Transfer[],
  rules: StandingRules,
  rateNow: Rate | null,
): { readonly rule: StandingRule; readonly transfers: readonly Transfer[] } | null {
  for (let taken = transfers.length; taken > 0; taken--) {
    const part = transfers.slice(0, taken);
    const rule = ruleFor(intent, quote, part, rules, rateNow);
    if (rule) return { rule, transfers: part };
  }
  return null;
}

function ruleFor(
  intent: Intent,
  quote: Quote,
  transfers: readonly Transfer[],
  rules: StandingRules,
  rateNow: Rate | null,
): StandingRule | null {
  const isPunctual = transfers.every((transfer) => whollyObservedAt(transfer) <= intent.expiresAt);
  const reason = expiredReason(intent, quote, transfers);
  if (reason === 'in-time-seen-late') return rules.acceptSeenLate ? 'seen-late' : null;
  // Late money is judged by the rule for late money too: a price that fell meanwhile is the merchant's loss.
  if (!isPunctual && !isLateWithin(intent, quote, transfers, rules, rateNow)) return null;
  if (reason === 'underpaid') return isShortWithin(quote, transfers, rules) ? 'short' : null;
  return isPunctual ? null : 'late';
}

function isShortWithin(quote: Quote, transfers: readonly Transfer[], rules: StandingRules): boolean {
  const missing = quote.amountAtoms - sumAtoms(transfers);
  const allowed = mulDiv(quote.amountAtoms, BigInt(rules.acceptShortBps), 10_000n, 'down');
  if (missing <= allowed) return true;
  return fiatValue(missing, priceOf(quote), quote.decimals, 'up') <= BigInt(rules.acceptShortMinor);
}

function isLateWithin(
  intent: Intent,
  quote: Quote,
  transfers: readonly Transfer[],
  rules: StandingRules,
  rateNow: Rate | null,
): boolean {
  const last = transfers.at(-1);
  if (!last || !rateNow) return false;
  const lateMs = whollyObservedAt(last).getTime() - intent.expiresAt.getTime();
  if (lateMs > rules.acceptLateMinutes * 60_000) return false;
  const [before, after] = [priceOf(quote), quotedPrice(rateNow, quote.spreadBps)];
  const a = before.numerator * after.denominator;
  const b = after.numerator * before.denominator;
  const move = a > b ? a - b : b - a;
  return mulDiv(move, 10_000n, a, 'up') < BigInt(rules.acceptLateMoveBps);
}
