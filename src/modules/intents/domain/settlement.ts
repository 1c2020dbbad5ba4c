import { pow10 } from '../../../kernel/arithmetic.js';
import {
  fiatValue,
  parsePrice,
  payableDecimals,
  type Price,
  withSpread,
} from '../../../kernel/crypto-amount.js';
import type { Facts, Transfer } from '../../chains/chains.types.js';
import type { Intent, Quote } from './model.js';
import { countingTransfersOf, hasDepth, sumAtoms } from './transfers.js';

/** What a settlement rested on, as it was: the accounting export is written from this. */
export interface Settlement {
  readonly quoteId: string;
  readonly network: string;
  readonly asset: string;
  readonly receivedAtoms: bigint;
  readonly excessAtoms: bigint;
  readonly price: string;
  readonly rateSources: Quote['rateSources'];
  readonly fiatMinor: bigint;
  readonly acceptedBy: string | null;
  readonly acceptReason: string | null;
  readonly transfers: readonly {
    readonly id: string;
    readonly txid: string;
    readonly output: string;
    readonly amountAtoms: string;
    readonly blockHeight: number | null;
    readonly blockHash: string | null;
  }[];
}

/** Who or which rule accepted an expired intent, and why. */
export interface Accept {
  readonly actor: string;
  readonly note: string;
}

/**
 * The record of a settlement by the quote's own counting transfers, as far as they have the settlement depth: what
 * could still be undone is not in the accounting export, and goes to the review queue.
 */
export function settlementOf(intent: Intent, quote: Quote, facts: Facts): Settlement {
  const tip = facts.tips.get(quote.network);
  const counting = countingTransfersOf(quote, facts, intent.expiresAt);
  return record(
    quote,
    counting.filter((transfer) => hasDepth(transfer, quote.settlementDepth, tip)),
    null,
  );
}

/** The record of an accept: what was accepted of the quote, late money too. */
export function acceptedSettlement(quote: Quote, transfers: readonly Transfer[], accept: Accept): Settlement {
  return record(quote, transfers, accept);
}

function record(quote: Quote, transfers: readonly Transfer[], accept: Accept | null): Settlement {
  const receivedAtoms = sumAtoms(transfers);
  return {
    quoteId: quote.id,
    network: quote.network,
    asset: quote.asset,
    receivedAtoms,
    excessAtoms: excessOf(quote, receivedAtoms),
    price: quote.price,
    rateSources: quote.rateSources,
    fiatMinor: fiatValue(receivedAtoms, priceOf(quote), quote.decimals, 'down'),
    acceptedBy: accept?.actor ?? null,
    acceptReason: accept?.note ?? null,
    transfers: transfers.map(({ id, txid, output, amountAtoms, blockHeight, blockHash }) => ({
      id,
      txid,
      output,
      amountAtoms: amountAtoms.toString(),
      blockHeight,
      blockHash,
    })),
  };
}

/** What came on top; less than one unit of the quoted precision is dust, not an over-payment. */
export function excessOf(quote: Quote, receivedAtoms: bigint): bigint {
  const excess = receivedAtoms - quote.amountAtoms;
  return excess >= pow10(quote.decimals - payableDecimals(quote.decimals)) ? excess : 0n;
}

/** The price that the buyer was quoted, the merchant's spread included. */
export function priceOf(quote: Quote): Price {
  const price = recordedPrice(quote);
  if (!price) throw new Error(`quote ${quote.id} holds no price`);
  return price;
}

/** The same; `null` where something else has written into the row what is none. */
export function recordedPrice({ price: text, spreadBps }: Pick<Quote, 'price' | 'spreadBps'>): Price | null {
  const price = parsePrice(text);
  return price && withSpread(price, spreadBps);
}
