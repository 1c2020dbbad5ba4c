import { mulDiv } from '../../../../kernel/arithmetic.js';
import { fiatValue } from '../../../../kernel/crypto-amount.js';
import { namesOf } from '../../../../kernel/lookups.js';
import type { Facts, Transfer } from '../../../chains/chains.types.js';
import type { StandingRules } from '../../../merchants/merchants.types.js';
import type { Rate } from '../../../rates/rates.types.js';
import type { Intent, Quote } from '../../domain/model.js';
import { expiredReason, paidQuote } from '../../domain/money-reason.js';
import { sumCountingBy } from '../../domain/observed.js';
import { quotedPrice } from '../../domain/quoting.js';
import { priceOf, recordedPrice } from '../../domain/settlement.js';
import {
  finalTransfersOf,
  liveTransfers,
  liveTransfersOf,
  sumAtoms,
  UNCONFIRMED_LIMIT_MS,
} from '../../domain/transfers.js';

/** Live money of a terminal intent that no settlement and no dismissal covers. */
export function uncovered(quotes: readonly Quote[], facts: Facts, covered: ReadonlySet<string>): Transfer[] {
  return liveTransfers(quotes, facts).filter(({ id }) => !covered.has(id));
}

/** By what is final; where nothing is yet, by everything that was paid. */
function acceptableQuote(quotes: readonly Quote[], facts: Facts): Quote | null {
  const transfers = quotes.flatMap((quote) => finalTransfersOf(quote, facts));
  return paidQuote(quotes, transfers.length > 0 ? { ...facts, transfers } : facts);
}

/** What an accept settles: a quote, by final transfers that nothing covers yet. */
export interface Acceptable {
  readonly quote: Quote;
  readonly transfers: readonly Transfer[];
  /** What else of the quote is there and not final yet: it may still be undone, and no accept settles it. */
  readonly pending: readonly Transfer[];
}

/** `null` where nothing of any quote is there. */
export function acceptableOf(quotes: readonly Quote[], facts: Facts): Acceptable | null {
  const quote = acceptableQuote(quotes, facts);
  if (!quote) return null;
  const transfers = finalTransfersOf(quote, facts);
  const final = new Set(transfers);
  return { quote, transfers, pending: liveTransfersOf(quote, facts).filter((one) => !final.has(one)) };
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
  // Without its price nothing of it can be valued: a person sends the money back, or accepts it once the row is mended.
  if (!recordedPrice(quote)) return null;
  const isKept = isPriceKept(quote, rules, rateNow);
  const taking = (length: number): Taken => {
    const conditions = conditionsOf(intent, quote, transfers.slice(0, length), rules);
    return { length, conditions, rule: length === 0 ? null : ruleFor(conditions, rules, isKept) };
  };
  const longest = longestWithRule(taking, taking(0), taking(transfers.length));
  return longest && { rule: longest.rule, transfers: transfers.slice(0, longest.length) };
}

/** The first so many transfers, and what is accepted of them together. */
interface Taken {
  readonly length: number;
  readonly conditions: Conditions;
  readonly rule: StandingRule | null;
}

/**
 * All that decides about the first so many transfers. As more of them are taken each of these changes at most once, but for
 * `reason`, which changes back where money returns after it was replaced. The search below may then stop too early: what it
 * leaves out waits for a person.
 */
interface Conditions {
  readonly reason: ReturnType<typeof expiredReason>;
  readonly isShortWithin: boolean;
  readonly isMined: boolean;
  readonly isPunctual: boolean;
  readonly isLateWithin: boolean;
}

/**
 * Between two lengths that agree on every condition all agree: halving finds the longest in a few looks, where looking at
 * each length would let whoever sends dust keep the service busy. What it finds was judged itself, whatever it leaves out.
 */
function longestWithRule(
  taking: (length: number) => Taken,
  from: Taken,
  to: Taken,
): (Taken & { readonly rule: StandingRule }) | null {
  const { rule } = to;
  if (rule) return { ...to, rule };
  const isBetween = to.length - from.length > 1 && !isSame(from.conditions, to.conditions);
  if (!isBetween) return from.rule && { ...from, rule: from.rule };
  const middle = taking((from.length + to.length) >>> 1);
  return longestWithRule(taking, middle, to) ?? longestWithRule(taking, from, middle);
}

function isSame(a: Conditions, b: Conditions): boolean {
  return namesOf(a).every((condition) => a[condition] === b[condition]);
}

function conditionsOf(
  intent: Intent,
  quote: Quote,
  transfers: readonly Transfer[],
  rules: StandingRules,
): Conditions {
  const { expiresAt } = intent;
  const until = new Date(expiresAt.getTime() + rules.acceptLateMinutes * 60_000);
  return {
    reason: expiredReason(intent, quote, transfers),
    isShortWithin: isShortWithin(quote, transfers, rules),
    isMined: isMinedBy(expiresAt, intent, transfers),
    isPunctual: cameBy(expiresAt, intent, transfers),
    isLateWithin: cameBy(until, intent, transfers),
  };
}

function ruleFor(money: Conditions, rules: StandingRules, isPriceKept: boolean): StandingRule | null {
  const isShort = money.reason === 'underpaid';
  if (isShort && !money.isShortWithin) return null;
  if (money.reason === 'in-time-seen-late' && money.isMined) return rules.acceptSeenLate ? 'seen-late' : null;
  // Late money is judged by the rule for late money too: a price that fell meanwhile is the merchant's loss.
  if (!money.isPunctual && !(money.isLateWithin && isPriceKept)) return null;
  if (isShort) return 'short';
  return money.isPunctual ? null : 'late';
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

/** Whether what the buyer would be quoted now is what they were quoted, within the limit; not while nobody knows it. */
function isPriceKept(quote: Quote, rules: StandingRules, rateNow: Rate | null): boolean {
  if (!rateNow) return false;
  const [before, after] = [priceOf(quote), quotedPrice(rateNow, quote.spreadBps)];
  const a = before.numerator * after.denominator;
  const b = after.numerator * before.denominator;
  const move = a > b ? a - b : b - a;
  return mulDiv(move, 10_000n, a, 'up') < BigInt(rules.acceptLateMoveBps);
}
