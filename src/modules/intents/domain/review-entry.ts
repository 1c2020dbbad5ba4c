import type { AssetConfig } from '../../../config/config.types.js';
import { mulDiv } from '../../../kernel/arithmetic.js';
import { formatAtoms, missingAtoms } from '../../../kernel/crypto-amount.js';
import { formatDecimal } from '../../../kernel/decimal.js';
import { fiatToNumber } from '../../../kernel/fiat.js';
import type { Facts, Transfer } from '../../chains/chains.types.js';
import type { ReviewEntry, ReviewReason, ReviewTransfer } from '../intents.types.js';
import { checkoutTransfer } from './checkout.js';
import type { Intent, Quote } from './model.js';
import { settlementDepth } from './options.js';
import { presentRequest, type Places, type StoredRequest } from './rescue.js';
import { isFinal, paidQuote } from './review.js';
import { belongsTo, hasDepth, liveTransfersOf, observedAt, sumAtoms } from './transfers.js';

/** An entry as it is stored. */
export interface StoredEntry {
  readonly reason: ReviewReason;
  readonly transfers: readonly string[];
  readonly openedAt: Date;
}

export interface NamedPlaces extends Places {
  asset(networkId: string, symbol: string): AssetConfig | null;
}

interface Described {
  readonly entry: StoredEntry;
  readonly intent: Intent;
  readonly quotes: readonly Quote[];
  /** All of the intent; those that are not in the entry are left out. */
  readonly facts: Facts | undefined;
  /** The buyer's latest. */
  readonly request: StoredRequest | undefined;
}

/** An entry of the queue as a person decides about it. */
export function describeEntry(described: Described, places: NamedPlaces): ReviewEntry {
  const { entry, intent, quotes, facts: all, request } = described;
  const transfers = all?.transfers.filter(({ id }) => entry.transfers.includes(id)) ?? [];
  const facts: Facts = { transfers, tips: all?.tips ?? new Map() };
  const quote = paidQuote(quotes, facts);
  return {
    intentId: intent.id,
    merchantId: intent.merchantId,
    status: intent.status,
    reason: entry.reason,
    title: intent.title,
    amount: fiatToNumber(intent.amountMinor),
    currency: intent.currency,
    asset: quote?.asset ?? null,
    network: quote?.network ?? null,
    ...(quote ? amountsOf(quote, facts) : NO_AMOUNTS),
    final: quote !== null && isFinal(quote, facts),
    transfers: transfers.map((transfer) => describeTransfer(transfer, intent, quotes, facts, places)),
    transferIds: entry.transfers,
    refundRequest: request ? presentRequest(request, places) : null,
    expiredAt: intent.expiresAt,
    openedAt: entry.openedAt,
  };
}

function describeTransfer(
  transfer: Transfer,
  intent: Intent,
  quotes: readonly Quote[],
  facts: Facts,
  places: NamedPlaces,
): ReviewTransfer {
  const network = places.network(transfer.network);
  const decimals = places.asset(transfer.network, transfer.asset)?.decimals ?? null;
  // Money that nobody quoted is as final as the same amount would have had to be.
  const quoted = quotes.find((quote) => belongsTo(transfer, quote))?.settlementDepth;
  const depth = quoted ?? (network && settlementDepth(network, intent.amountMinor));
  return {
    ...checkoutTransfer(transfer, decimals, facts, network),
    id: transfer.id,
    observedAt: observedAt(transfer),
    final: depth !== null && hasDepth(transfer, depth, facts.tips.get(transfer.network)),
  };
}

const NO_AMOUNTS = { quoted: null, received: null, missing: null, receivedPercent: null };

function amountsOf(quote: Quote, facts: Facts) {
  const received = sumAtoms(liveTransfersOf(quote, facts));
  return {
    quoted: formatAtoms(quote.amountAtoms, quote.decimals, 'up'),
    received: formatAtoms(received, quote.decimals, 'down'),
    missing: formatAtoms(missingAtoms(quote.amountAtoms, received, quote.toleranceBps), quote.decimals, 'up'),
    receivedPercent: formatDecimal(mulDiv(received, 10_000n, quote.amountAtoms, 'down'), 2),
  };
}
