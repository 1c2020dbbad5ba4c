import { completionThreshold } from '../../../kernel/crypto-amount.js';
import { isTerminal, mayBecome, type IntentStatus } from '../../../kernel/intent-status.js';
import type { Facts, Transfer } from '../../chains/chains.types.js';
import type { Intent, Quote } from './model.js';
import { countingTransfersOf, hasDepth, observedAt, sumAtoms } from './transfers.js';

/** A completed deposit that nobody mines is given up this long after the window (PRODUCT, "→ failed"). */
const UNCONFIRMED_LIMIT_MS = 24 * 3_600_000;

/** Why an edge was walked, as the timeline says it. */
export type Cause =
  | 'created'
  | 'deposit-observed'
  | 'deposit-confirmed'
  | 'deposit-settled'
  | 'window-lapsed'
  | 'deposit-vanished'
  | 'deposit-never-confirmed'
  | 'cancelled-by-buyer'
  | 'cancelled-by-merchant'
  | 'accepted-in-review';

export interface Step {
  readonly from: IntentStatus;
  readonly to: IntentStatus;
  readonly cause: Cause;
}

export interface Decision {
  /** Edges to walk now, in order; empty when nothing changes. */
  readonly steps: readonly Step[];
  readonly quoteId: string | null;
  readonly completedAt: Date | null;
}

/** A quote with what counts for it. */
interface Tally {
  readonly quote: Quote;
  readonly counting: readonly Transfer[];
  readonly threshold: bigint;
  readonly complete: boolean;
}

/**
 * PRODUCT's "Statuses, precisely" as a pure function of what is stored, what was observed, and now. It never
 * moves back, walks the table one edge at a time, and gives the same answer however often it is asked.
 * @param now by the database's clock, read after the intent was locked and before the facts were
 */
export function decide(intent: Intent, quotes: readonly Quote[], facts: Facts, now: Date): Decision {
  const tallies = quotes.map((quote) => tally(quote, facts, intent.expiresAt));
  const chosen = choose(intent, tallies);
  const lapsed = now > intent.expiresAt;
  const complete = chosen?.complete ?? false;
  // After the window a completion can be lost (and then the intent fails) but no longer begin anew:
  // `completedAt` keeps saying that the deposit was complete when it mattered.
  const completedAt = complete ? (intent.completedAt ?? now) : lapsed ? intent.completedAt : null;

  const steps: Step[] = [];
  let status = intent.status;
  const walk = (to: IntentStatus, cause: Cause) => {
    if (!mayBecome(status, to)) throw new Error(`there is no edge from ${status} to ${to}`);
    steps.push({ from: status, to, cause });
    status = to;
  };
  if (status === 'initiated' && tallies.some(({ counting }) => counting.length > 0))
    walk('pending', 'deposit-observed');
  if (status === 'pending' && chosen && deep(chosen, chosen.quote.confirmationDepth, facts)) {
    walk('confirmed', 'deposit-confirmed');
  }
  if (status === 'confirmed' && chosen && deep(chosen, chosen.quote.settlementDepth, facts)) {
    walk('settled', 'deposit-settled');
  }
  if (lapsed)
    lapse(status, { complete, completedAt, watchedForMs: watchedSince(intent, chosen, facts) }, walk);
  return { steps, quoteId: chosen?.quote.id ?? intent.quoteId, completedAt };
}

interface LapsedWindow {
  readonly complete: boolean;
  readonly completedAt: Date | null;
  /** How long the network has been watched since the window ended: nobody is to blame for what we could not see. */
  readonly watchedForMs: number;
}

function watchedSince(intent: Intent, chosen: Tally | null, facts: Facts): number {
  const syncedAt = chosen && facts.tips.get(chosen.quote.network)?.syncedAt;
  return syncedAt ? syncedAt.getTime() - intent.expiresAt.getTime() : 0;
}

/** What the end of the window means for an intent that is not through. */
function lapse(
  status: IntentStatus,
  window: LapsedWindow,
  walk: (to: IntentStatus, cause: Cause) => void,
): void {
  if (isTerminal(status)) return;
  if (window.completedAt === null) return walk('expired', 'window-lapsed');
  if (!window.complete) return walk('failed', 'deposit-vanished');
  if (status === 'pending' && window.watchedForMs >= UNCONFIRMED_LIMIT_MS)
    walk('failed', 'deposit-never-confirmed');
}

function tally(quote: Quote, facts: Facts, expiresAt: Date): Tally {
  const counting = countingTransfersOf(quote, facts, expiresAt);
  const threshold = completionThreshold(quote.amountAtoms, quote.toleranceBps);
  return { quote, counting, threshold, complete: sumAtoms(counting) >= threshold };
}

/**
 * The quote that the intent is about: the completed one for good, else the one that received first, else the
 * latest pick. Quotes never add up.
 */
function choose(intent: Intent, tallies: readonly Tally[]): Tally | null {
  const picked = tallies.find(({ quote }) => quote.id === intent.quoteId) ?? null;
  if (intent.completedAt !== null && picked?.complete) return picked;
  const paid = tallies.filter(({ counting }) => counting.length > 0).sort(byFirstTransfer);
  return (
    paid.find(({ complete }) => complete) ??
    (intent.completedAt !== null ? picked : null) ??
    paid[0] ??
    picked
  );
}

function byFirstTransfer(a: Tally, b: Tally): number {
  return observedAt(a.counting[0]!).getTime() - observedAt(b.counting[0]!).getTime();
}

/** Whether the counting transfers that are deep enough reach the threshold on their own. */
function deep(
  { quote, counting, threshold }: Tally,
  depth: Quote['confirmationDepth'],
  facts: Facts,
): boolean {
  const tip = facts.tips.get(quote.network);
  return sumAtoms(counting.filter((transfer) => hasDepth(transfer, depth, tip))) >= threshold;
}
