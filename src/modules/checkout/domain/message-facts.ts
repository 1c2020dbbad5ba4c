import { type CryptoAmount, isNothing } from '../../../kernel/crypto-amount.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { CheckoutIntent, CheckoutQuote, CheckoutTransfer } from '../../intents/checkout.types.js';
import type { MessageFacts } from '../catalogue/catalogue.types.js';
import type { Catalogue } from '../catalogue/en.js';
import { aboutText, groupedText, timeText, unitText } from './formats.js';
import { moneyOf } from './page-state.js';
import { sentBackText, underWayText } from './refund-text.js';

export function messageFacts(intent: CheckoutIntent, catalogue: Catalogue): MessageFacts {
  const { quote } = intent;
  const [other] = intent.otherTransfers;
  const [coming] = moneyOf(intent).filter(({ final }) => !final);
  const unit = (amount: CryptoAmount | null): string =>
    quote && amount !== null ? unitText(amount, visibleText(quote.asset)) : '';
  return {
    merchant: visibleText(intent.merchant.name),
    asset: quote ? visibleText(quote.asset) : '',
    network: quote ? visibleText(quote.networkName) : '',
    due: unit(quote?.amount ?? null),
    received: unit(quote?.received ?? null),
    receivedOf: quote ? catalogue.receivedOf(groupedText(quote.received), unit(quote.amount)) : '',
    missing: unit(quote?.missing ?? null),
    excess: unit(quote?.excess ?? null),
    other: other ? transferText(other, catalogue) : '',
    coming: coming ? transferText(coming, catalogue) : '',
    arrived: arrivedText(intent, catalogue),
    sentBack: sentBackText(intent, catalogue),
    underWay: underWayText(intent, catalogue),
    sendBefore: quote ? timeText(quote.sendBefore, catalogue) : '',
    closesAt: timeText(intent.expiresAt, catalogue),
    settleTime: quote ? aboutText(quote.expectedSettleS, catalogue) : '',
    depth: quote ? depthText(quote, catalogue) : '',
  };
}

/** More than that is a list, and that stands on the page. */
const MAX_NAMED = 3;

/** "50 USDC on Ethereum and 25 USDC on Polygon": all that is here, asked for or not. Empty where nothing is. */
function arrivedText({ quote, otherTransfers }: CheckoutIntent, catalogue: Catalogue): string {
  const asked =
    quote && !isNothing(quote.received)
      ? [
          `${unitText(quote.received, visibleText(quote.asset))} ${catalogue.on(visibleText(quote.networkName))}`,
        ]
      : [];
  const all = [...asked, ...otherTransfers.map((transfer) => transferText(transfer, catalogue))];
  if (all.length > MAX_NAMED) return catalogue.yourMoney;
  return all.length === 0 ? '' : all.reduce((first, next) => catalogue.and(first, next));
}

/** "25 USDC", or the asset alone where its amount cannot be said. */
export function shownAmount(amount: CryptoAmount | null, asset: string): string {
  return amount === null ? visibleText(asset) : unitText(amount, visibleText(asset));
}

/** "25 USDC on Polygon": the network is never left out, because it is what went wrong. */
export function transferText({ amount, asset, networkName }: CheckoutTransfer, catalogue: Catalogue): string {
  return `${shownAmount(amount, asset)} ${catalogue.on(visibleText(networkName))}`;
}

/** The least deep transfer decides, because all of them have to be deep enough. */
export function leastDepth(quote: CheckoutQuote): number {
  return quote.transfers.reduce(
    (least, { confirmations }) => Math.min(least, confirmations),
    Number.MAX_SAFE_INTEGER,
  );
}

function depthText(quote: CheckoutQuote, catalogue: Catalogue): string {
  if (quote.requiredConfirmations === null) return catalogue.depthFinality;
  const depth = quote.transfers.length === 0 ? 0 : leastDepth(quote);
  return catalogue.depth(depth, quote.requiredConfirmations);
}
