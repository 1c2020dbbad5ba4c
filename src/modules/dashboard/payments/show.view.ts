import { isNothing, type Price } from '../../../kernel/crypto-amount.js';
import { isOpen } from '../../../kernel/intent-status.js';
import { addressGroups } from '../../../kernel/text/address-text.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import { listed } from '../../../platform/pages/listed.js';
import { saltPreimage } from '../../chains/deposit-salt.pure.js';
import { forwarder } from '../../chains/forwarders.types.js';
import { recipeLines } from '../../chains/wallets/destination-text.pure.js';
import type {
  DetailQuote,
  DetailSettlement,
  DetailTransfer,
  DetailTransition,
  PaymentDetail,
} from '../../intents/payments.types.js';
import type { NamedRefund } from '../../intents/refunds.types.js';
import type { DecidedRefund, ReviewDecision } from '../../intents/reviews.types.js';
import type { DeliveryView, WebhookEndpointView } from '../../webhooks/webhooks.types.js';
import { coinText, exactCoinText, formatAmount } from '../domain/amounts.js';
import { percentText } from '../domain/percent.js';
import { groupedPrice, rateText } from '../domain/rate-text.js';
import { pathWith } from '../domain/safe-path.js';
import { moment } from '../domain/times.js';
import type { Text } from '../language/german/german.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import { refundRow } from '../refunds/refund-label.js';
import { requestView } from '../refunds/request.view.js';
import type { PageModel } from '../session/request-context.js';
import { causeMessage, deliveryLabel, statusLabel, transferLabel } from './messages.js';
import { sentenceOf } from './sentence.js';

export interface Shown {
  readonly detail: PaymentDetail;
  readonly deliveries: readonly DeliveryView[];
  readonly endpoints: readonly WebhookEndpointView[];
  /** Of this payment, oldest first. */
  readonly refunds: readonly NamedRefund[];
  /** Whether final money is there that could be sent back, by whoever looks. */
  readonly mayRefund: boolean;
  readonly mayCancel: boolean;
  readonly maySeeDeliveries: boolean;
}

/** Facts left, what happened right: a page that answers what happened, and why, without anybody's help. */
export function paymentView(say: Say, shown: Shown): PageModel {
  const { detail, deliveries, endpoints, refunds, mayRefund, mayCancel, maySeeDeliveries } = shown;
  const { intent, amountMinor, orderKey, inReview, settlement } = detail;
  const amount = formatAmount(say, amountMinor, intent.currency);
  const { some, more } = listed(detail.transfers);
  return {
    title: visibleText(intent.title ?? orderKey ?? say('Payment of {amount}', { amount })),
    amount,
    sentence: sentenceOf(say, detail),
    id: intent.id,
    status: statusLabel(say, intent.status),
    orderKey: orderKey === null ? null : visibleText(orderKey),
    checkoutUrl: intent.checkoutUrl,
    created: moment(new Date(intent.createdAt)),
    expires: moment(new Date(intent.expiresAt)),
    reviewPath: inReview === null ? null : pathTo('review', intent.id),
    isUndoable: inReview !== null && !detail.transfers.some(({ final }) => final),
    quotes: detail.quotes.map((quote) => quoteView(say, quote, intent.id, intent.currency)),
    transfers: some.map((transfer) => transferView(say, transfer)),
    moreTransfers: more,
    settlement: settlement && settlementView(say, settlement, intent.currency),
    requests: detail.refundRequests.map(requestView),
    refunds: refunds.map((refund) => refundRow(say, refund)),
    newRefundPath: mayRefund ? pathWith(pathTo('newRefund'), { payment: intent.id }) : null,
    decisions: detail.decisions.map((decision) => decisionView(say, decision)),
    timeline: detail.transitions.map((transition) => transitionView(say, transition)),
    deliveries: deliveries.map((delivery) => deliveryView(say, delivery, endpoints, maySeeDeliveries)),
    json: JSON.stringify(intent, null, 2),
    cancelPath: mayCancel && isOpen(intent.status) ? pathTo('cancelPayment', intent.id) : null,
    hasMoney: detail.transfers.length > 0,
  };
}

function quoteView(say: Say, quote: DetailQuote, intentId: string, currency: string) {
  const { asset, networkName, quoted, received, address, shown, sources } = quote;
  const percent = (bps: number) => `${percentText(bps)} %`;
  return {
    asset,
    networkName,
    address,
    ...addressGroups(address),
    shown,
    quoted: coinText(say, quoted, asset),
    received: coinText(say, received, asset),
    place: placeText(say, quote),
    recipe: recipeOf(quote, intentId),
    rate: rateOf(say, asset, currency, quote.price),
    rateAt: moment(quote.rateAt),
    sources: sources
      .map(({ source, price }) => (price ? `${source} ${groupedPrice(say, price)}` : source))
      .join(', '),
    terms: [
      ...(quote.spreadBps > 0 ? [say('spread {percent}', { percent: percent(quote.spreadBps) })] : []),
      ...(quote.toleranceBps > 0
        ? [say('tolerance {percent}', { percent: percent(quote.toleranceBps) })]
        : []),
      say('confirmed at {depth}', { depth: depthMessage(say, quote.confirmationDepth) }),
      say('settled at {depth}', { depth: depthMessage(say, quote.settlementDepth) }),
    ].join(', '),
  };
}

/** Where the row holds no price, a person looks at this page to see why. */
function rateOf(say: Say, asset: string, currency: string, price: Price | null): string {
  return price ? rateText(say, asset, currency, price) : say('the recorded price cannot be read');
}

/** How the merchant finds the money. */
function placeText(say: Say, { place }: DetailQuote): string {
  if (place === null) return '';
  if ('index' in place) return say('index {index} of your wallet', { index: String(place.index) });
  return say('can pay out to {destination} alone; salt {salt}', {
    destination: place.destination,
    salt: place.salt,
  });
}

/** How anybody finds the address without us. */
function recipeOf(quote: DetailQuote, intentId: string): string | null {
  const { place, address } = quote;
  if (place === null || 'index' in place) return null;
  const saltOf = saltPreimage({ ...quote, subject: intentId });
  return recipeLines({ ...place, saltOf, forwarder: forwarder.address, depositAddress: address }).join('\n');
}

function depthMessage(say: Say, depth: DetailQuote['settlementDepth']): string {
  if (typeof depth !== 'number') return `“${depth}”`;
  return say('{count, plural, one {# block} other {# blocks}}', { count: depth });
}

function transferView(say: Say, transfer: DetailTransfer) {
  const { amount, asset, networkName, txid, explorerUrl, confirmations, blockHeight } = transfer;
  return {
    onNetwork: say('on {network}', { network: networkName }),
    txid,
    explorerUrl,
    beside:
      blockHeight === null
        ? null
        : say('{count, plural, one {# confirmation} other {# confirmations}}', { count: confirmations }),
    amount: coinText(say, amount, asset),
    status: stateOf(say, transfer),
    seen: moment(transfer.firstSeenAt),
  };
}

function stateOf(say: Say, { own, beforeIssue, state, final }: DetailTransfer) {
  if (own) return { text: say('your own movement, no payment'), tone: 'quiet' } as const;
  if (beforeIssue) return { text: say('lay there before, no payment'), tone: 'quiet' } as const;
  return transferLabel(say, state, final);
}

function settlementView(say: Say, settlement: DetailSettlement, currency: string) {
  const { asset, networkName, received, excess, price, txids, acceptedBy, acceptReason } = settlement;
  return {
    networkName,
    acceptedBy,
    received: coinText(say, received, asset),
    txids,
    excess: isNothing(excess) ? null : coinText(say, excess, asset),
    rate: rateOf(say, asset, currency, price),
    worth: formatAmount(say, settlement.fiatMinor, currency),
    acceptReason: acceptReason === null ? null : visibleText(acceptReason),
    at: moment(settlement.at),
  };
}

const DECIDED = {
  accept: 'Accepted',
  dismiss: 'Dismissed',
  refund: 'Refund recorded',
} as const satisfies Record<ReviewDecision['kind'], Text>;

function decisionView(say: Say, { kind, actor, note, refund, createdAt }: ReviewDecision) {
  const amount = refund && refundedText(say, refund);
  return {
    what: amount === null ? say(DECIDED[kind]) : `${say(DECIDED[kind])}: ${amount}`,
    actor: visibleText(actor),
    note: visibleText(note),
    refundTxid: refund?.txid ?? null,
    at: moment(createdAt),
  };
}

function refundedText(say: Say, { money, typed }: DecidedRefund): string | null {
  return money ? exactCoinText(say, money, money.asset) : typed;
}

function transitionView(say: Say, { to, cause, at, eventId, traceId, sequence }: DetailTransition) {
  return {
    status: statusLabel(say, to),
    why: causeMessage(say, cause),
    at: moment(at),
    eventId,
    traceId,
    sequence,
  };
}

function deliveryView(
  say: Say,
  delivery: DeliveryView,
  endpoints: readonly WebhookEndpointView[],
  maySee: boolean,
) {
  const { eventId, sequence, attempts, nextAttemptAt, lastAttempt } = delivery;
  return {
    eventId,
    sequence,
    attempts,
    path: maySee ? pathTo('delivery', delivery.id) : null,
    url: endpoints.find(({ id }) => id === delivery.endpointId)?.url ?? say('a deleted endpoint'),
    state: deliveryLabel(say, delivery.state),
    answer: lastAttempt ? (lastAttempt.error ?? String(lastAttempt.httpStatus)) : null,
    next: nextAttemptAt && moment(nextAttemptAt),
  };
}
