import { mulDiv } from '../../../../kernel/arithmetic.js';
import { missingAtoms, payable } from '../../../../kernel/crypto-amount.js';
import { fiatToNumber } from '../../../../kernel/fiat.js';
import type { Facts } from '../../../chains/chains.types.js';
import type { ReviewEntry, ReviewReason } from '../../intents.types.js';
import { shownTransferIn } from '../../checkout/domain/checkout.js';
import type { Intent, Quote } from '../../domain/model.js';
import type { NamedPlaces } from '../../domain/places.js';
import { presentRequest, type StoredRequest } from '../../checkout/domain/refund-request.js';
import { acceptableQuote } from '../../unsettled/domain/review.js';
import { whollyObservedAt } from '../../domain/observed.js';
import { finalTransfersOf, liveTransfersOf, sumAtoms } from '../../domain/transfers.js';

/** An entry as it is stored. */
export interface StoredEntry {
  readonly reason: ReviewReason;
  readonly transfers: readonly string[];
  readonly openedAt: Date;
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
  const quote = acceptableQuote(quotes, facts);
  const shown = shownTransferIn({ intent, quotes, facts }, places);
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
    final: quote !== null && finalTransfersOf(quote, facts).length > 0,
    transfers: transfers.map((transfer) => ({
      ...shown(transfer),
      id: transfer.id,
      observedAt: whollyObservedAt(transfer),
    })),
    transferIds: entry.transfers,
    refundRequest: request ? presentRequest(request, places) : null,
    expiredAt: intent.expiresAt,
    openedAt: entry.openedAt,
  };
}

const NO_AMOUNTS = { quoted: null, received: null, missing: null, receivedBps: null };

function amountsOf(quote: Quote, facts: Facts) {
  const { amountAtoms, decimals, toleranceBps } = quote;
  const received = sumAtoms(liveTransfersOf(quote, facts));
  return {
    quoted: payable({ atoms: amountAtoms, decimals }),
    received: { atoms: received, decimals },
    missing: payable({ atoms: missingAtoms(amountAtoms, received, toleranceBps), decimals }),
    receivedBps: mulDiv(received, 10_000n, amountAtoms, 'down'),
  };
}
