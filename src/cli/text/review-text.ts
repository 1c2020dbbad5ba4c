import { amountText, type CryptoAmount, exactText, wireText } from '../../kernel/crypto-amount.js';
import { formatDecimal } from '../../kernel/decimal.js';
import { FIAT_DECIMALS, fiatToNumber } from '../../kernel/fiat.js';
import { visibleText } from '../../kernel/text/visible-text.js';
import type { RefundRequest } from '../../modules/intents/checkout.types.js';
import type { ReviewDetail } from '../../modules/intents/review/reviews.service.js';
import type { DecidedRefund, ReviewEntry, ReviewTransfer } from '../../modules/intents/reviews.types.js';

/** Nobody is to send money to an address only because it stands here. */
const UNVERIFIED = 'UNVERIFIED: anyone with the payment’s link could have typed it. Ask the buyer first.';

/** An entry as JSON has it: amounts with eight decimals, and what may be sent back with all of the asset's. */
export function entryJson(entry: ReviewEntry) {
  const { receivedBps: _bps, amountMinor, ...rest } = entry;
  const transfers = entry.transfers.map((transfer) => ({
    ...transfer,
    amount: wireOrUnknown(transfer.amount),
  }));
  const amount = fiatToNumber(amountMinor);
  return { ...rest, amount, ...amountTexts(entry), acceptable: acceptableTexts(entry), transfers };
}

export function detailJson(detail: ReviewDetail) {
  const refundable = detail.refundable.map((money) => {
    return { network: money.network, asset: money.asset, amount: exactText(money) };
  });
  const decisions = detail.decisions.map(({ refund, createdAt, ...rest }) => ({
    ...rest,
    refundAmount: refund?.typed ?? null,
    refundNetwork: refund?.money?.network ?? null,
    refundAsset: refund?.money?.asset ?? null,
    refundTxid: refund?.txid ?? null,
    createdAt,
  }));
  return { ...entryJson(detail), refundRequests: detail.refundRequests, refundable, decisions };
}

function amountTexts({ quoted, received, missing, receivedBps }: ReviewEntry) {
  return {
    quoted: quoted && wireText(quoted),
    received: received && wireText(received),
    missing: missing && wireText(missing),
    receivedPercent: receivedBps === null ? null : formatDecimal(receivedBps, 2),
  };
}

function acceptableTexts({ acceptable }: ReviewEntry) {
  if (!acceptable) return null;
  const { amount, missing, receivedBps, transferIds } = acceptable;
  const percent = formatDecimal(receivedBps, 2);
  return { amount: wireText(amount), missing: wireText(missing), receivedPercent: percent, transferIds };
}

/** In an asset that is no longer configured nobody knows it. */
const wireOrUnknown = (amount: CryptoAmount | null) => (amount === null ? 'unknown' : wireText(amount));

/** The queue, a line for each entry. */
export function queueText(entries: readonly ReviewEntry[]): string {
  if (entries.length === 0) return 'none\n';
  return entries.map((entry) => `${entryLine(entry)}\n`).join('');
}

/** One entry, as somebody reads it who has to decide. */
export function detailText(detail: ReviewDetail): string {
  const lines = [
    entryLine(detail),
    `merchant   ${detail.merchantId}`,
    `expired    ${detail.expiredAt.toISOString()}, in the queue since ${detail.openedAt.toISOString()}`,
    ...detail.transfers.map((transfer) => `transfer   ${transferLine(transfer)}`),
    ...detail.refundRequests.flatMap((request) => [`refund to  ${requestLine(request)}`]),
    ...(detail.refundRequests.length > 0 ? [`           ${UNVERIFIED}`] : []),
    ...detail.decisions.map(
      ({ createdAt, kind, actor, note, refund }) =>
        `decided    ${createdAt.toISOString()}  ${kind} by ${visibleText(actor)}: ${visibleText(note)}` +
        (refund ? `  (${refundText(refund)})` : ''),
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function refundText({ money, typed, txid }: DecidedRefund): string {
  const amount = money ? amountText(money) : (typed ?? '');
  return txid ? `${amount}, ${visibleText(txid)}` : amount;
}

function entryLine(entry: ReviewEntry): string {
  const { quoted, received, missing, receivedPercent } = amountTexts(entry);
  const money = entry.asset
    ? `received ${received} of ${quoted} ${entry.asset} on ${entry.network} (${receivedPercent} %), missing ${missing}`
    : `nothing of what was asked, ${entry.transfers.length} other`;
  const asked = formatDecimal(entry.amountMinor, FIAT_DECIMALS);
  const final = entry.acceptable && wireText(entry.acceptable.amount);
  const depth = entry.final ? 'final' : final === null ? 'not final' : `of which ${final} final`;
  const wish = entry.refundRequest ? ', refund address left (unverified)' : '';
  return `${entry.intentId}  ${entry.currency} ${asked}  ${entry.status}  ${entry.reason}  ${money}, ${depth}${wish}`;
}

function transferLine(transfer: ReviewTransfer): string {
  const { id, asset, networkName, observedAt, state, confirmations, txid } = transfer;
  const amount = wireOrUnknown(transfer.amount);
  const depth = transfer.final ? 'final' : `${state}, ${confirmations} confirmations, not final`;
  return `${observedAt.toISOString()}  ${amount} ${asset} on ${networkName}, ${depth}  ${txid}  (${id})`;
}

function requestLine({ at, address, networkName, note }: RefundRequest): string {
  return `${at.toISOString()}  ${address} on ${networkName}${note === null ? '' : `  “${visibleText(note)}”`}`;
}
