import { mulDiv } from '../../../../kernel/arithmetic.js';
import { fiatValue } from '../../../../kernel/crypto-amount.js';
import type { Facts, Transfer } from '../../../chains/chains.types.js';
import type { StandingRules } from '../../../merchants/merchants.types.js';
import type { Rate } from '../../../rates/rates.types.js';
import type { Intent, Quote } from '../../domain/model.js';
import { expiredReason, isUnderpaid, paidQuote } from '../../domain/money-reason.js';
import { quotedPrice } from '../../domain/quoting.js';
import { priceOf } from '../../domain/settlement.js';
import { sumCountingBy } from '../../domain/observed.js';
import { finalTransfersOf, liveTransfers, sumAtoms, UNCONFIRMED_LIMIT_MS } from '../../domain/transfers.js';

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
  const isShort = isUnderpaid(quote, transfers);
  if (isShort && !isShortWithin(quote, transfers, rules)) return null;
  const isPunctual = cameBy(intent.expiresAt, intent, transfers);
  const reason = expiredReason(intent, quote, transfers);
  if (reason === 'in-time-seen-late' && isMinedBy(intent.expiresAt, intent, transfers))
    return rules.acceptSeenLate ? 'seen-late' : null;
  // Late money is judged by the rule for late money too: a price that fell meanwhile is the merchant's loss.
  if (!isPunctual && !isLateWithin(intent, quote, transfers, rules, rateNow)) return null;
  if (isShort) return 'short';
  return isPunctual ? null : 'late';
}

/** Whether all of it had been observed by then, and did not wait for a block for longer than a completed deposit may. */
function cameBy(moment: Date, intent: Intent, transfers: readonly Transfer[]): boolean {
  return sumCountingBy(transfers, moment) === sumAtoms(transfers) && isMinedBy(moment, intent, transfers);
}

function isMinedBy(moment: Date, { expiresAt }: Intent, transfers: readonly Transfer[]): boolean {
  const until = Math.max(moment.getTime(), expiresAt.getTime() + UNCONFIRMED_LIMIT_MS);
  return transfers.every(({ blockTime }) => blockTime === null || blockTime.getTime() <= until);
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
  if (transfers.length === 0 || !rateNow) return false;
  const until = new Date(intent.expiresAt.getTime() + rules.acceptLateMinutes * 60_000);
  if (!cameBy(until, intent, transfers)) return false;
  const [before, after] = [priceOf(quote), quotedPrice(rateNow, quote.spreadBps)];
  const a = before.numerator * after.denominator;
  const b = after.numerator * before.denominator;
  const move = a > b ? a - b : b - a;
  return mulDiv(move, 10_000n, a, 'up') < BigInt(rules.acceptLateMoveBps);
}
