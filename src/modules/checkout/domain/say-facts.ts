import { trimZeros } from '../../../kernel/decimal.js';
import type { CheckoutIntent, CheckoutQuote, CheckoutTransfer } from '../../intents/intents.types.js';
import { words, type SayFacts } from '../catalogue.js';
import { aboutText, timeText, unitText } from './formats.js';
import { visibleText } from '../../../kernel/visible-text.js';
import { moneyOf } from './page-state.js';

export function sayFacts(intent: CheckoutIntent): SayFacts {
  const { quote } = intent;
  const [other] = intent.otherTransfers;
  const [coming] = moneyOf(intent).filter(({ final }) => !final);
  const refund = intent.rescue?.refund;
  const unit = (amount: string | null): string =>
    quote && amount !== null ? unitText(amount, visibleText(quote.asset)) : '';
  return {
    merchant: visibleText(intent.merchant.name),
    asset: quote ? visibleText(quote.asset) : '',
    network: quote ? visibleText(quote.networkName) : '',
    due: unit(quote?.amount ?? null),
    received: unit(quote?.received ?? null),
    receivedOf: quote ? words.receivedOf(trimZeros(quote.received), unit(quote.amount)) : '',
    missing: unit(quote?.missing ?? null),
    excess: unit(quote?.excess ?? null),
    other: other ? transferText(other) : '',
    coming: coming ? transferText(coming) : '',
    refund: refund?.asset ? unitText(refund.amount, visibleText(refund.asset)) : words.yourMoney,
    sendBefore: quote ? timeText(quote.sendBefore) : '',
    closesAt: timeText(intent.expiresAt),
    settleTime: quote ? aboutText(quote.expectedSettleS) : '',
    depth: quote ? depthText(quote) : '',
  };
}

/** "25 USDC on Polygon": the network is never left out, because it is what went wrong. */
export function transferText({ amount, asset, networkName }: CheckoutTransfer): string {
  return `${unitText(amount, visibleText(asset))} ${words.on(visibleText(networkName))}`;
}

/** The least deep transfer decides, because all of them have to be deep enough. */
export function depthOf(quote: CheckoutQuote): number {
  return Math.min(...quote.transfers.map((transfer) => transfer.confirmations), Number.MAX_SAFE_INTEGER);
}

function depthText(quote: CheckoutQuote): string {
  if (quote.requiredConfirmations === null) return words.depthFinality;
  const depth = quote.transfers.length === 0 ? 0 : depthOf(quote);
  return words.depth(depth, quote.requiredConfirmations);
}
