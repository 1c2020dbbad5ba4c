import { fiatToNumber } from '../../../kernel/fiat.js';
import { formatAtoms, missingAtoms } from '../../../kernel/crypto-amount.js';
import type { IntentStatus } from '../../../kernel/intent-status.js';
import type { Facts } from '../../chains/chains.types.js';
import type { PaymentIntent } from '../intents.types.js';
import type { Intent, Quote } from './model.js';
import { confirmations, liveTransfersOf, sumAtoms } from './transfers.js';

/** What the resource tells of a quote. */
export type ShownQuote = Pick<Quote, 'asset' | 'decimals' | 'amountAtoms' | 'address'>;

/** The seed’s resource. */
export function presentIntent(intent: Intent, quote: ShownQuote | null, checkoutUrl: string): PaymentIntent {
  return {
    id: intent.id,
    status: intent.status,
    amount: fiatToNumber(intent.amountMinor),
    currency: intent.currency,
    title: intent.title,
    assetSymbol: quote?.asset ?? null,
    cryptoAmount: quote ? formatAtoms(quote.amountAtoms, quote.decimals, 'up') : null,
    depositAddress: quote?.address ?? null,
    checkoutUrl: `${checkoutUrl}/pay/${intent.id}`,
    returnUrl: intent.returnUrl,
    createdAt: intent.createdAt.toISOString(),
    expiresAt: intent.expiresAt.toISOString(),
    confirmedAt: intent.confirmedAt?.toISOString() ?? null,
    settledAt: intent.settledAt?.toISOString() ?? null,
  };
}

/** What arrived, as an event tells it. Amounts with eight decimals, `received` rounded down, `missing` up. */
export interface EventPayment {
  readonly network: string;
  readonly received: string;
  readonly missing: string;
  readonly transfers: readonly {
    readonly txid: string;
    readonly amount: string;
    readonly confirmations: number;
  }[];
}

export interface EventBody {
  readonly id: string;
  readonly type: 'payment.status';
  readonly timestamp: string;
  readonly sequence: number;
  readonly data: {
    readonly intent: PaymentIntent;
    readonly previousStatus: IntentStatus | null;
    readonly payment: EventPayment | null;
  };
}

export function presentPayment(quote: Quote, facts: Facts): EventPayment {
  const transfers = liveTransfersOf(quote, facts);
  const tip = facts.tips.get(quote.network);
  const received = sumAtoms(transfers);
  return {
    network: quote.network,
    received: formatAtoms(received, quote.decimals, 'down'),
    missing: formatAtoms(missingAtoms(quote.amountAtoms, received, quote.toleranceBps), quote.decimals, 'up'),
    transfers: transfers.map((transfer) => ({
      txid: transfer.txid,
      amount: formatAtoms(transfer.amountAtoms, quote.decimals, 'down'),
      confirmations: confirmations(transfer, tip),
    })),
  };
}
