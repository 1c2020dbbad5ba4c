import { missingAtoms, payable, wireText } from '../../../kernel/crypto-amount.js';
import { fiatToNumber } from '../../../kernel/fiat.js';
import type { IntentStatus } from '../../../kernel/intent-status.js';
import type { Facts } from '../../chains/chains.types.js';
import { payPath } from '../checkout-paths.pure.js';
import type { Payment, PaymentIntent } from '../intents.types.js';
import type { MoneyReason } from '../reviews.types.js';
import type { Intent, Quote } from './model.js';
import { confirmations, liveTransfersOf, mostTelling, type QuotePlace, sumAtoms } from './transfers.js';

/** What the resource tells of a quote. */
type ShownQuote = Pick<Quote, 'asset' | 'decimals' | 'amountAtoms' | 'address'>;

/** What says how far a quote is paid. */
export type PayableQuote = QuotePlace & Pick<Quote, 'decimals' | 'amountAtoms' | 'toleranceBps'>;

export function presentIntent(intent: Intent, quote: ShownQuote | null, checkoutUrl: string): PaymentIntent {
  return {
    id: intent.id,
    status: intent.status,
    amount: fiatToNumber(intent.amountMinor),
    currency: intent.currency,
    title: intent.title,
    assetSymbol: quote?.asset ?? null,
    cryptoAmount: quote ? wireText(payable({ atoms: quote.amountAtoms, decimals: quote.decimals })) : null,
    depositAddress: quote?.address ?? null,
    checkoutUrl: checkoutUrl + payPath(intent.id),
    returnUrl: intent.returnUrl,
    createdAt: intent.createdAt.toISOString(),
    expiresAt: intent.expiresAt.toISOString(),
    confirmedAt: intent.confirmedAt?.toISOString() ?? null,
    settledAt: intent.settledAt?.toISOString() ?? null,
    idempotencyKey: intent.idempotencyKey,
  };
}

export interface EventBody {
  readonly id: string;
  readonly type: 'payment.status';
  readonly timestamp: string;
  readonly sequence: number;
  readonly data: {
    readonly intent: PaymentIntent;
    readonly previousStatus: IntentStatus | null;
    readonly payment: Payment | null;
  };
}

/** Final money of an intent that has ended, beyond what settled it. */
export interface MoneyEventBody {
  readonly id: string;
  readonly type: 'payment.money';
  readonly timestamp: string;
  /** Counts the money of the intent, beside the sequence of its statuses. */
  readonly sequence: number;
  readonly data: {
    readonly intent: PaymentIntent;
    readonly money: {
      /** Of the transfer: a transaction can hold several. */
      readonly id: string;
      readonly reason: MoneyReason;
      readonly network: string;
      readonly asset: string;
      readonly amount: string;
      readonly txid: string;
      readonly observedAt: string;
    };
  };
}

/** The same for a read and for an event: what is live now, or was at that transition. The sums are over all transfers. */
export function presentPayment(quote: PayableQuote, facts: Facts): Payment {
  const transfers = liveTransfersOf(quote, facts);
  const tip = facts.tips.get(quote.network);
  const { amountAtoms, decimals, toleranceBps } = quote;
  const received = sumAtoms(transfers);
  return {
    network: quote.network,
    received: wireText({ atoms: received, decimals }),
    missing: wireText(payable({ atoms: missingAtoms(amountAtoms, received, toleranceBps), decimals })),
    transfers: mostTelling(transfers).map((transfer) => ({
      txid: transfer.txid,
      amount: wireText({ atoms: transfer.amountAtoms, decimals }),
      confirmations: confirmations(transfer, tip),
    })),
  };
}
