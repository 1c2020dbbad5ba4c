import { type CryptoAmount, isNothing, type Price } from '../../../kernel/crypto-amount.js';
import { formatDecimal, trimZeros } from '../../../kernel/decimal.js';
import { isTerminal } from '../../../kernel/intent-status.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import { listed } from '../../../platform/pages/listed.js';
import type { PaymentDetail } from '../../intents/payments.types.js';
import type { NamedRefund } from '../../intents/refunds.types.js';
import type { ReviewDetail } from '../../intents/review/reviews.service.js';
import type { ReviewTransfer } from '../../intents/reviews.types.js';
import { coinText, formatAmount } from '../domain/amounts.js';
import { pathWith } from '../domain/safe-path.js';
import { seenFields } from '../domain/seen.js';
import { moment } from '../domain/times.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import { reviewMessage, statusLabel, transferLabel } from '../payments/messages.js';
import { mostText, refundRow } from '../refunds/refund-label.js';
import { requestView } from '../refunds/request.view.js';
import type { PageModel } from '../session/request-context.js';
import { arrivedText } from './arrived.js';
import { gapOf } from './gap.js';

export interface Decidable {
  /** Of this payment, oldest first. */
  readonly refunds: readonly NamedRefund[];
  readonly entry: ReviewDetail;
  /** Today's price of the quoted asset in the payment's currency; `null` without a fresh one. */
  readonly price: Price | null;
  readonly now: Date;
  readonly mayDecide: boolean;
  readonly mayRefund: boolean;
  /** Where to prove one's identity before accepting, or recording a refund. */
  readonly confirm: string | null;
  /** What somebody has typed into the form that was refused. */
  readonly typed: {
    readonly note: string;
    /** Network and asset, as the choice names them. */
    readonly asset: string;
    readonly amount: string;
    readonly txid: string;
  };
}

/** What was asked and what arrived side by side, and then the decision. */
export function decideView(
  say: Say,
  { entry, refunds, price, now, mayDecide, mayRefund, confirm, typed }: Decidable,
): PageModel {
  // What could still be undone is no reason to accept: once something is final, the amounts are of that alone.
  const { acceptable } = entry;
  const told: Told = acceptable ?? { ...entry, amount: entry.received };
  const gap = gapTexts(say, entry, told, price);
  const received = inAsset(say, entry, told.amount);
  const pending = entry.final ? null : pendingOf(say, entry);
  const quoted = inAsset(say, entry, entry.quoted);
  const reason = reviewMessage(say, entry.reason);
  const { some, more } = listed(entry.transfers);
  return {
    title: visibleText(
      entry.title ??
        say('Payment of {amount}', { amount: formatAmount(say, entry.amountMinor, entry.currency) }),
    ),
    id: entry.intentId,
    paymentPath: pathTo('payment', entry.intentId),
    status: statusLabel(say, entry.status),
    answer: answerOf(say, { ...gap, received, quoted, reason, other: arrivedText(say, entry) }),
    pending,
    asked: formatAmount(say, entry.amountMinor, entry.currency),
    quoted,
    received,
    ...gap,
    window: windowText(say, entry, now),
    ended: moment(entry.expiredAt),
    opened: moment(entry.openedAt),
    transfers: some.map((transfer) => transferView(say, transfer, entry.expiredAt)),
    moreTransfers: more,
    requests: entry.refundRequests.map(requestView),
    earlier: entry.decisions.map(({ kind, actor, note, createdAt }) => ({
      kind: say(KINDS[kind]),
      actor: visibleText(actor),
      note: visibleText(note),
      at: moment(createdAt),
    })),
    seen: seenFields(entry.transferIds),
    mayDecide,
    mayRefund,
    confirm,
    acceptance: {
      ...acceptance(say, entry),
      seen: seenFields(acceptable?.transferIds ?? []),
      button: acceptButton(
        say,
        received ?? formatAmount(say, entry.amountMinor, entry.currency),
        gap.gapAtQuote,
      ),
    },
    typed,
    refund: refundView(say, entry, typed.asset),
    // What can be done stands out; accepting does, where it can be.
    refundIsMain: entry.refundable.length > 0 && !acceptance(say, entry).mayAccept,
    newRefundPath: pathWith(pathTo('newRefund'), { payment: entry.intentId }),
    refunds: refunds.map((refund) => refundRow(say, refund)),
  };
}

const KINDS = { accept: 'accept', dismiss: 'dismiss', refund: 'refund' } as const;

/** How much arrived and how much is missing; where nothing is, why it is here. */
function answerOf(
  say: Say,
  {
    received,
    quoted,
    missing,
    gapAtQuote,
    gapToday,
    reason,
    other,
  }: Record<Amounts | 'other', string | null> & { reason: string },
): string {
  const waits = say('It waits for your decision.');
  if (received === null && other !== null)
    return `${say('{received} arrived.', { received: other })} ${reason}. ${waits}`;
  if (received === null) return missing === null ? `${reason}. ${waits}` : waits;
  if (quoted === null || quoted === received)
    return `${say('{received} arrived.', { received })} ${reason}. ${waits}`;
  const values = { received, quoted };
  if (missing === null || gapAtQuote === null)
    return `${say('{received} of {quoted} arrived.', values)} ${reason}. ${waits}`;
  const gap = { ...values, missing, gap: gapAtQuote };
  const lack =
    gapToday === null
      ? say('{received} of {quoted} arrived: {missing} are missing, {gap} at the quoted rate.', gap)
      : say(
          '{received} of {quoted} arrived: {missing} are missing, {gap} at the quoted rate and {today} today.',
          { ...gap, today: gapToday },
        );
  return `${lack} ${waits}`;
}

type Amounts = 'received' | 'quoted' | 'missing' | 'gapAtQuote' | 'gapToday';

/** Whether it can be accepted now, and if not, why not: in words, where the button would be. */
function acceptance(say: Say, entry: ReviewDetail): { mayAccept: boolean; why: string | null } {
  if (entry.status !== 'expired') {
    const why = say('A payment that is {status} cannot be accepted. Dismiss it, or record a refund.', {
      status: say(entry.status),
    });
    return { mayAccept: false, why };
  }
  if (entry.received === null || isNothing(entry.received)) {
    return {
      mayAccept: false,
      why: say('Nothing of the quoted asset arrived, so there is nothing to settle with.'),
    };
  }
  if (!entry.acceptable) {
    return {
      mayAccept: false,
      why: say('The money could still be undone. It can be accepted once it is final.'),
    };
  }
  return { mayAccept: true, why: null };
}

function inAsset(say: Say, { asset }: ReviewDetail, amount: CryptoAmount | null): string | null {
  return amount === null || asset === null ? null : coinText(say, amount, asset);
}

/** "Accept 31.19 USDC, CHF 24.95 short": what somebody takes responsibility for. */
function acceptButton(say: Say, what: string, short: string | null): string {
  return short === null
    ? say('Accept {amount}', { amount: what })
    : say('Accept {amount}, {short} short', { amount: what, short });
}

/** `null` while nothing is final: what can still be undone is not sent back. */
function refundView(say: Say, { refundable }: ReviewDetail, chosen: string) {
  if (refundable.length === 0) return null;
  return {
    kinds: refundable.map((each) => {
      const value = `${each.network} ${each.asset}`;
      return {
        value,
        text: say('{amount} on {network}', { amount: each.asset, network: each.networkName }),
        isChosen: value === chosen,
      };
    }),
    isOne: refundable.length === 1,
    unit: refundable.length === 1 ? (refundable[0]?.asset ?? null) : null,
    most: mostText(say, refundable),
  };
}

/** What is told to have arrived, and what it lacks. */
interface Told {
  readonly amount: CryptoAmount | null;
  readonly missing: CryptoAmount | null;
  readonly receivedBps: bigint | null;
}

/** What came beside what is final, and is not yet. */
function pendingOf(say: Say, entry: ReviewDetail): string | null {
  const { received, acceptable } = entry;
  if (!received || !acceptable) return null;
  return inAsset(say, entry, { ...received, atoms: received.atoms - acceptable.amount.atoms });
}

function gapTexts(say: Say, entry: ReviewDetail, { missing, receivedBps }: Told, price: Price | null) {
  const none = { percent: null, missing: null, gapAtQuote: null, gapToday: null };
  if (entry.quoted === null || missing === null) return none;
  const gap = gapOf(entry.amountMinor, entry.quoted, missing, price);
  const text = (minor: bigint) => formatAmount(say, minor, entry.currency);
  const isWhole = gap.atQuote === 0n;
  return {
    percent: receivedBps === null ? null : trimZeros(formatDecimal(receivedBps, 2)),
    missing: isWhole ? null : inAsset(say, entry, missing),
    gapAtQuote: isWhole ? null : text(gap.atQuote),
    gapToday: isWhole || gap.today === null ? null : text(gap.today),
  };
}

/** A payment that ended early may be decided about while its window would still be open. */
function windowText(say: Say, { status, expiredAt }: ReviewDetail, now: Date): string {
  if (expiredAt <= now) return say('Window ended');
  return isTerminal(status) ? say('Window would have ended') : say('Window ends');
}

function transferView(say: Say, transfer: ReviewTransfer, expiredAt: Date) {
  const { amount, asset, networkName, txid, explorerUrl, confirmations, final } = transfer;
  const lateS = Math.ceil((transfer.observedAt.getTime() - expiredAt.getTime()) / 1000);
  return {
    networkName,
    txid,
    explorerUrl,
    amount: coinText(say, amount, asset),
    confirmationsText: say('{count, plural, one {# confirmation} other {# confirmations}}', {
      count: confirmations,
    }),
    at: moment(transfer.observedAt),
    punctuality: lateS <= 0 ? say('In time') : say('{time} late', { time: lateText(say, lateS) }),
    state: transferLabel(say, transfer.state, final),
  };
}

function lateText(say: Say, seconds: number): string {
  if (seconds < 60) return say('{count, plural, one {# second} other {# seconds}}', { count: seconds });
  if (seconds < 7_200)
    return say('{count, plural, one {# minute} other {# minutes}}', { count: Math.ceil(seconds / 60) });
  if (seconds < 172_800)
    return say('{count, plural, one {# hour} other {# hours}}', { count: Math.ceil(seconds / 3_600) });
  return say('{count, plural, one {# day} other {# days}}', { count: Math.ceil(seconds / 86_400) });
}

/** When somebody else was faster, or a rule was: who, when and why. */
export function decidedView(say: Say, { intent, decisions, settlement }: PaymentDetail): PageModel {
  const last = decisions.at(-1);
  const by = last?.actor ?? settlement?.acceptedBy ?? null;
  return {
    title: by === null ? say('Review') : say('Already decided'),
    id: intent.id,
    paymentPath: pathTo('payment', intent.id),
    status: statusLabel(say, intent.status),
    by: by === null ? null : visibleText(by),
    note: last ? visibleText(last.note) : null,
    at: last ? moment(last.createdAt) : null,
  };
}
