import { completionThreshold } from '../../../../kernel/crypto-amount.js';
import { type IntentStatus, isTerminal, mayBecome } from '../../../../kernel/intent-status.js';
import type { Facts, Transfer } from '../../../chains/chains.types.js';
import type { Intent, Quote } from '../../domain/model.js';
import { firstObservedAt, sumCountingBy } from '../../domain/observed.js';
import {
  countingTransfersOf,
  hasDepth,
  possibleAtomsOf,
  UNCONFIRMED_LIMIT_MS,
} from '../../domain/transfers.js';

/** Why an edge was walked, as the timeline says it. */
export type Cause =
  | 'created'
  | 'deposit-observed'
  | 'deposit-confirmed'
  | 'deposit-settled'
  | 'window-lapsed'
  | 'window-lapsed-unseen'
  | 'deposit-vanished'
  | 'deposit-never-confirmed'
  | 'cancelled-by-buyer'
  | 'cancelled-by-merchant'
  | 'cancelled-by-key'
  | 'cancelled-by-operator'
  | 'accepted-in-review'
  | 'closed-by-operator';

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
  readonly complete: boolean;
  /** Of what is complete, whether it still may be: the chain has not decided for what took the place of its money. */
  readonly mayBeComplete: boolean;
  /** Whether what blocks hold suffices on its own, however deep. */
  readonly isMined: boolean;
  /** Whether its counting transfers of the confirmation depth, or of the settlement depth, suffice on their own. */
  readonly deep: Depths;
}

interface Depths {
  readonly confirmation: boolean;
  readonly settlement: boolean;
}

/**
 * The statuses of docs/product.md as a pure function of what is stored, what was observed, and now. It never
 * moves back, walks the table one edge at a time, and gives the same answer however often it is asked.
 * @param now by the database's clock, read after the intent was locked and before the facts were
 * @param isUnseen whether we cannot see at this moment what the buyer was asked to pay: then it is not known that nobody did
 */
export function decide(
  intent: Intent,
  quotes: readonly Quote[],
  facts: Facts,
  now: Date,
  isUnseen = false,
): Decision {
  const tallies = quotes.map((quote) => tally(quote, facts, intent.expiresAt));
  const chosen = choose(intent, tallies);
  const lapsed = now > intent.expiresAt;
  // A completion is lost only when nothing of it can come back: by the depth of a conflict, or the end of a grace time.
  const mayBeKept = intent.completedAt !== null && chosen?.mayBeComplete === true;
  const complete = chosen?.complete === true || mayBeKept;
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
  if (status === 'pending' && chosen?.deep.confirmation) {
    walk('confirmed', 'deposit-confirmed');
  }
  if (status === 'confirmed' && chosen?.deep.settlement) {
    walk('settled', 'deposit-settled');
  }
  if (lapsed) {
    const watchedForMs = watchedSince(intent, chosen, facts);
    const isMined = chosen?.isMined ?? false;
    lapse(status, { complete, completedAt, watchedForMs, isUnseen, isMined }, walk);
  }
  return { steps, quoteId: chosen?.quote.id ?? intent.quoteId, completedAt };
}

interface LapsedWindow {
  readonly complete: boolean;
  readonly completedAt: Date | null;
  /** How long the network has been watched since the window ended: nobody is to blame for what we could not see. */
  readonly watchedForMs: number;
  readonly isUnseen: boolean;
  /** What blocks hold waits for its depth as long as that takes: finality may stand still for longer than a day. */
  readonly isMined: boolean;
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
  if (window.completedAt === null)
    return walk('expired', window.isUnseen ? 'window-lapsed-unseen' : 'window-lapsed');
  if (!window.complete) return walk('failed', 'deposit-vanished');
  if (status === 'pending' && !window.isMined && window.watchedForMs >= UNCONFIRMED_LIMIT_MS)
    walk('failed', 'deposit-never-confirmed');
}

function tally(quote: Quote, facts: Facts, expiresAt: Date): Tally {
  const counting = countingTransfersOf(quote, facts, expiresAt);
  const threshold = completionThreshold(quote.amountAtoms, quote.toleranceBps);
  const tip = facts.tips.get(quote.network);
  const enough = (transfers: readonly Transfer[]) => sumCountingBy(transfers, expiresAt) >= threshold;
  const suffices = (depth: Quote['confirmationDepth']) =>
    enough(counting.filter((transfer) => hasDepth(transfer, depth, tip)));
  return {
    quote,
    counting,
    complete: enough(counting),
    isMined: enough(counting.filter(({ state }) => state === 'included')),
    mayBeComplete: possibleAtomsOf(quote, facts, expiresAt) >= threshold,
    deep: { confirmation: suffices(quote.confirmationDepth), settlement: suffices(quote.settlementDepth) },
  };
}

/**
 * The quote that the intent is about: the completed one for good, once it is confirmed; until then another one that is
 * complete and deeper, because what nobody mines must not hold up what is there. Else the one that received first,
 * else the latest pick. Quotes never add up.
 */
function choose(intent: Intent, tallies: readonly Tally[]): Tally | null {
  const picked = tallies.find(({ quote }) => quote.id === intent.quoteId) ?? null;
  const paid = tallies.filter(({ counting }) => counting.length > 0).sort(byFirstTransfer);
  const completed = intent.completedAt !== null ? picked : null;
  if (completed?.deep.confirmation) return completed;
  return (
    paid.find(({ deep }) => deep.settlement) ??
    paid.find(({ deep }) => deep.confirmation) ??
    (completed?.complete ? completed : null) ??
    paid.find(({ complete }) => complete) ??
    completed ??
    paid[0] ??
    picked
  );
}

function byFirstTransfer(a: Tally, b: Tally): number {
  const first = ({ counting }: Tally) => Math.min(...counting.map((t) => firstObservedAt(t).getTime()));
  return first(a) - first(b);
}
