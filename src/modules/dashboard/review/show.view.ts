import { isNothing, type CryptoAmount } from '../../../kernel/crypto-amount.js';
import { formatDecimal } from '../../../kernel/decimal.js';
import { formatFiat, parseFiat } from '../../../kernel/fiat.js';
import { visibleText } from '../../../kernel/visible-text.js';
import type { RefundRequest, ReviewTransfer } from '../../intents/intents.types.js';
import { refundableText, type ReviewDetail } from '../../intents/review/reviews.service.js';
import type { NamedRefund } from '../../intents/refunds.types.js';
import type { PaymentDetail } from '../../intents/payments.types.js';
import { coinText, formatAmount } from '../domain/amounts.js';
import { moment, plural } from '../domain/times.js';
import { pathWith } from '../domain/safe-path.js';
import { pathTo } from '../paths.http.js';
import { refundRow } from '../refunds/refund-label.js';
import type { PageModel } from '../session/request-context.js';
import { reviewMessage, statusLabel, transferLabel } from '../payments/messages.js';
import { gapOf } from './gap.js';

export interface Decidable {
  /** Of this payment, oldest first. */
  readonly refunds: readonly NamedRefund[];
  readonly entry: ReviewDetail;
  /** Today's price of the quoted asset in the payment's currency; `null` without a fresh one. */
  readonly price: string | null;
  readonly mayDecide: boolean;
  /** Where to prove one's identity before accepting. */
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
export function decideView({ entry, refunds, price, mayDecide, confirm, typed }: Decidable): PageModel {
  const path = pathTo('review', entry.intentId);
  const gap = gapTexts(entry, price);
  return {
    title: visibleText(entry.title ?? `Payment of ${formatAmount(entry.amount, entry.currency)}`),
    id: entry.intentId,
    path,
    paymentPath: pathTo('payment', entry.intentId),
    status: statusLabel(entry.status),
    reason: reviewMessage(entry.reason),
    asked: formatAmount(entry.amount, entry.currency),
    quoted: inAsset(entry, entry.quoted),
    received: inAsset(entry, entry.received),
    ...gap,
    ended: moment(entry.expiredAt),
    opened: moment(entry.openedAt),
    transfers: entry.transfers.map((transfer) => transferView(transfer, entry.expiredAt)),
    requests: entry.refundRequests.map(requestView),
    earlier: entry.decisions.map(({ kind, actor, note, createdAt }) => ({
      kind,
      actor: visibleText(actor),
      note: visibleText(note),
      at: moment(createdAt),
    })),
    seen: entry.transferIds,
    mayDecide,
    confirm,
    acceptance: { ...acceptance(entry), button: acceptButton(entry, gap.gapAtQuote) },
    typed,
    refund: refundView(entry, typed.asset),
    newRefundPath: pathWith(pathTo('newRefund'), { payment: entry.intentId }),
    refunds: refunds.map(refundRow),
  };
}

/** Whether it can be accepted now, and if not, why not: in words, where the button would be. */
function acceptance(entry: ReviewDetail): { mayAccept: boolean; why: string | null } {
  if (entry.status !== 'expired') {
    const why = `A payment that is ${entry.status} cannot be accepted. Dismiss it, or record a refund.`;
    return { mayAccept: false, why };
  }
  if (entry.received === null || isNothing(entry.received)) {
    return {
      mayAccept: false,
      why: 'Nothing of the quoted asset arrived, so there is nothing to settle with.',
    };
  }
  if (!entry.final) {
    return { mayAccept: false, why: 'The money could still be undone. It can be accepted once it is final.' };
  }
  return { mayAccept: true, why: null };
}

function inAsset({ asset }: ReviewDetail, amount: CryptoAmount | null): string | null {
  return amount === null || asset === null ? null : coinText(amount, asset);
}

/** "Accept 31.19 USDC, CHF 24.95 short": what somebody takes responsibility for. */
function acceptButton(entry: ReviewDetail, short: string | null): string {
  const what = inAsset(entry, entry.received) ?? formatAmount(entry.amount, entry.currency);
  return short === null ? `Accept ${what}` : `Accept ${what}, ${short} short`;
}

/** `null` while nothing is final: what can still be undone is not sent back. */
function refundView({ refundable }: ReviewDetail, chosen: string) {
  if (refundable.length === 0) return null;
  return {
    kinds: refundable.map((each) => {
      const value = `${each.network} ${each.asset}`;
      return { value, text: `${each.asset} on ${each.networkName}`, isChosen: value === chosen };
    }),
    isOne: refundable.length === 1,
    unit: refundable.length === 1 ? (refundable[0]?.asset ?? null) : null,
    most: refundable.map(refundableText).join(', '),
  };
}

function gapTexts(entry: ReviewDetail, price: string | null) {
  const none = { percent: null, missing: null, gapAtQuote: null, gapToday: null };
  const amountMinor = parseFiat(entry.amount);
  if (entry.quoted === null || entry.missing === null || typeof amountMinor !== 'bigint') return none;
  const gap = gapOf(amountMinor, entry.quoted, entry.missing, price);
  const text = (minor: bigint) => `${entry.currency} ${formatFiat(minor)}`;
  const isWhole = gap.atQuote === 0n;
  return {
    percent: entry.receivedBps === null ? null : formatDecimal(entry.receivedBps, 2),
    missing: isWhole ? null : inAsset(entry, entry.missing),
    gapAtQuote: isWhole ? null : text(gap.atQuote),
    gapToday: isWhole || gap.today === null ? null : text(gap.today),
  };
}

function transferView(transfer: ReviewTransfer, expiredAt: Date) {
  const { amount, asset, networkName, txid, explorerUrl, confirmations, final } = transfer;
  const lateS = Math.ceil((transfer.observedAt.getTime() - expiredAt.getTime()) / 1000);
  return {
    networkName,
    txid,
    explorerUrl,
    amount: coinText(amount, asset),
    confirmationsText: plural(confirmations, 'confirmation'),
    at: moment(transfer.observedAt),
    punctuality: lateS <= 0 ? 'In time' : `${lateText(lateS)} late`,
    state: transferLabel(transfer.state, final),
  };
}

function lateText(seconds: number): string {
  if (seconds < 60) return plural(seconds, 'second');
  if (seconds < 7_200) return plural(Math.ceil(seconds / 60), 'minute');
  if (seconds < 172_800) return plural(Math.ceil(seconds / 3_600), 'hour');
  return plural(Math.ceil(seconds / 86_400), 'day');
}

function requestView({ networkName, address, note, at }: RefundRequest) {
  return { networkName, address, note: note === null ? null : visibleText(note), at: moment(at) };
}

/** When somebody else was faster, or a rule was: who, when and why. */
export function decidedView({ intent, decisions, settlement }: PaymentDetail): PageModel {
  const last = decisions.at(-1);
  const by = last?.actor ?? settlement?.acceptedBy ?? null;
  return {
    title: 'Already decided',
    id: intent.id,
    paymentPath: pathTo('payment', intent.id),
    status: statusLabel(intent.status),
    by: by === null ? null : visibleText(by),
    note: last ? visibleText(last.note) : null,
    at: last ? moment(last.at) : null,
  };
}
