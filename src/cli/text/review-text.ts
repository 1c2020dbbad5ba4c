import { visibleText } from '../../kernel/visible-text.js';
import type { RefundRequest, ReviewEntry, ReviewTransfer } from '../../modules/intents/intents.types.js';
import type { ReviewDetail } from '../../modules/intents/review/reviews.service.js';

/** Nobody is to send money to an address only because it stands here. */
const UNVERIFIED = 'UNVERIFIED: anyone with the payment’s link could have typed it. Ask the buyer first.';

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
      ({ createdAt, kind, actor, note, refundAmount, refundAsset, refundTxid }) =>
        `decided    ${createdAt.toISOString()}  ${kind} by ${visibleText(actor)}: ${visibleText(note)}` +
        (refundAmount === null
          ? ''
          : `  (${refundAmount}${refundAsset ? ` ${refundAsset}` : ''}${refundTxid ? `, ${visibleText(refundTxid)}` : ''})`),
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function entryLine(entry: ReviewEntry): string {
  const money = entry.asset
    ? `received ${entry.received} of ${entry.quoted} ${entry.asset} on ${entry.network} (${entry.receivedPercent} %), missing ${entry.missing}`
    : `nothing of what was asked, ${entry.transfers.length} other`;
  const depth = entry.final ? 'final' : 'not final';
  const wish = entry.refundRequest ? ', refund address left (unverified)' : '';
  return `${entry.intentId}  ${entry.currency} ${entry.amount.toFixed(2)}  ${entry.status}  ${entry.reason}  ${money}, ${depth}${wish}`;
}

function transferLine(transfer: ReviewTransfer): string {
  const { id, amount, asset, networkName, observedAt, state, confirmations, txid } = transfer;
  const depth = transfer.final ? 'final' : `${state}, ${confirmations} confirmations, not final`;
  return `${observedAt.toISOString()}  ${amount} ${asset} on ${networkName}, ${depth}  ${txid}  (${id})`;
}

function requestLine({ at, address, networkName, note }: RefundRequest): string {
  return `${at.toISOString()}  ${address} on ${networkName}${note === null ? '' : `  “${visibleText(note)}”`}`;
}
