import { formatFiat } from '../../../kernel/fiat.js';
import type { ReviewReason } from '../../intents/intents.types.js';
import { isOpen } from '../../../kernel/intent-status.js';
import { visibleText } from '../../../kernel/visible-text.js';
import type {
  PaymentStory,
  StoryDecision,
  StoryQuote,
  StorySettlement,
  StoryTransfer,
  StoryTransition,
} from '../../intents/payments.types.js';
import type { DeliveryView, WebhookEndpointView } from '../../webhooks/webhooks.types.js';
import { moment } from '../domain/times.js';
import type { PageModel } from '../door/visit.js';
import { causeWords, deliveryWord, reviewWords, statusWord, transferWord } from './words.js';

export interface Shown {
  readonly story: PaymentStory;
  readonly deliveries: readonly DeliveryView[];
  readonly endpoints: readonly WebhookEndpointView[];
  readonly mayCancel: boolean;
  readonly maySeeDeliveries: boolean;
}

/** Facts left, the story right: a page that answers what happened, and why, without anybody's help. */
export function showView({ story, deliveries, endpoints, mayCancel, maySeeDeliveries }: Shown): PageModel {
  const { intent, amountMinor, orderKey, inReview, settlement } = story;
  return {
    title: `Payment of ${intent.currency} ${formatFiat(amountMinor)}`,
    id: intent.id,
    status: statusWord(intent.status),
    name: intent.title === null ? null : visibleText(intent.title),
    orderKey: orderKey === null ? null : visibleText(orderKey),
    checkoutUrl: intent.checkoutUrl,
    created: moment(new Date(intent.createdAt)),
    expires: moment(new Date(intent.expiresAt)),
    review: inReview === null ? null : reviewText(inReview, story.transfers),
    reviewPath: `/dashboard/review/${intent.id}`,
    quotes: story.quotes.map((quote) => quoteView(quote, intent.currency)),
    transfers: story.transfers.map(transferView),
    settlement: settlement && settlementView(settlement, intent.currency),
    decisions: story.decisions.map(decisionView),
    timeline: story.transitions.map(transitionView),
    deliveries: deliveries.map((delivery) => deliveryView(delivery, endpoints, maySeeDeliveries)),
    json: JSON.stringify(intent, null, 2),
    cancelPath: mayCancel && isOpen(intent.status) ? `/dashboard/payments/${intent.id}/cancel` : null,
    hasMoney: story.transfers.length > 0,
  };
}

function reviewText(reason: ReviewReason, transfers: readonly StoryTransfer[]): string {
  const words = reviewWords(reason);
  return transfers.some(({ final }) => final)
    ? words
    : `${words}; not final yet, the network can still undo it`;
}

function quoteView(quote: StoryQuote, currency: string) {
  const { asset, networkName, quoted, received, address, shown, sources } = quote;
  const percent = (bps: number) => `${bps / 100} %`;
  return {
    ...{ asset, networkName, quoted, received, address, shown },
    index: quote.derivationIndex,
    rate: `1 ${asset} = ${currency} ${quote.price}`,
    rateAt: moment(quote.rateAt),
    sources: sources.map(({ source, price }) => `${source} ${price}`).join(', '),
    terms: [
      ...(quote.spreadBps > 0 ? [`spread ${percent(quote.spreadBps)}`] : []),
      ...(quote.toleranceBps > 0 ? [`tolerance ${percent(quote.toleranceBps)}`] : []),
      `confirmed at ${depthWords(quote.confirmationDepth)}`,
      `settled at ${depthWords(quote.settlementDepth)}`,
    ].join(', '),
  };
}

function depthWords(depth: StoryQuote['settlementDepth']): string {
  if (typeof depth !== 'number') return `“${depth}”`;
  return depth === 1 ? '1 block' : `${depth} blocks`;
}

function transferView(transfer: StoryTransfer) {
  const { amount, asset, networkName, txid, explorerUrl, confirmations, blockHeight } = transfer;
  return {
    ...{ amount, asset, networkName, txid, explorerUrl, confirmations, blockHeight },
    state: stateOf(transfer),
    seen: moment(transfer.firstSeenAt),
  };
}

function stateOf({ own, beforeIssue, state, final }: StoryTransfer) {
  if (own) return { text: 'your own movement, no payment', tone: 'quiet' } as const;
  if (beforeIssue) return { text: 'lay there before, no payment', tone: 'quiet' } as const;
  return transferWord(state, final);
}

function settlementView(settlement: StorySettlement, currency: string) {
  const { asset, networkName, received, excess, price, txids, acceptedBy, acceptReason } = settlement;
  return {
    ...{ asset, networkName, received, txids, acceptedBy },
    excess: /^0\.0+$/.test(excess) ? null : excess,
    rate: `1 ${asset} = ${currency} ${price}`,
    worth: `${currency} ${formatFiat(settlement.fiatMinor)}`,
    acceptReason: acceptReason === null ? null : visibleText(acceptReason),
    at: moment(settlement.at),
  };
}

const DECIDED: Readonly<Record<StoryDecision['kind'], string>> = {
  accept: 'Accepted',
  dismiss: 'Dismissed',
  refund: 'Refund recorded',
};

function decisionView({ kind, actor, note, refundAmount, refundAsset, refundTxid, at }: StoryDecision) {
  const amount = [refundAmount, refundAsset].filter((part) => part !== null).join(' ');
  return {
    what: refundAmount === null ? DECIDED[kind] : `${DECIDED[kind]}: ${amount}`,
    ...{ actor: visibleText(actor), note: visibleText(note), refundTxid, at: moment(at) },
  };
}

function transitionView({ to, cause, at, eventId, traceId, sequence }: StoryTransition) {
  return { status: statusWord(to), why: causeWords(cause), at: moment(at), eventId, traceId, sequence };
}

function deliveryView(delivery: DeliveryView, endpoints: readonly WebhookEndpointView[], maySee: boolean) {
  const { eventId, sequence, attempts, nextAttemptAt, lastAttempt } = delivery;
  return {
    ...{ eventId, sequence, attempts },
    path: maySee ? `/dashboard/developers/deliveries/${delivery.id}` : null,
    url: endpoints.find(({ id }) => id === delivery.endpointId)?.url ?? 'a deleted endpoint',
    state: deliveryWord(delivery.state),
    answer: lastAttempt ? (lastAttempt.error ?? String(lastAttempt.httpStatus)) : null,
    next: nextAttemptAt && moment(nextAttemptAt),
  };
}
