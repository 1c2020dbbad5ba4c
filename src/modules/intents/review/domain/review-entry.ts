import { mulDiv } from '../../../../kernel/arithmetic.js';
import { missingAtoms, payable } from '../../../../kernel/crypto-amount.js';
import type { Facts, Transfer } from '../../../chains/chains.types.js';
import { shownTransferIn } from '../../checkout/domain/checkout.js';
import { presentRequest, type StoredRequest } from '../../checkout/domain/refund-request.js';
import type { Intent, Quote } from '../../domain/model.js';
import { whollyObservedAt } from '../../domain/observed.js';
import type { Places } from '../../domain/places.js';
import { sumAtoms } from '../../domain/transfers.js';
import type { AcceptablePart, ReviewEntry, ReviewReason } from '../../reviews.types.js';
import { type Acceptable, acceptableOf } from '../../unsettled/domain/review.js';

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
export function describeEntry(described: Described, places: Places): ReviewEntry {
  const { entry, intent, quotes, facts: all, request } = described;
  const waiting = new Set(entry.transfers);
  const transfers = all?.transfers.filter(({ id }) => waiting.has(id)) ?? [];
  const facts: Facts = { transfers, tips: all?.tips ?? new Map() };
  const open = acceptableOf(quotes, facts);
  const quote = open?.quote ?? null;
  const shown = shownTransferIn({ intent, quotes, facts }, places);
  return {
    intentId: intent.id,
    merchantId: intent.merchantId,
    status: intent.status,
    reason: entry.reason,
    title: intent.title,
    amountMinor: intent.amountMinor,
    currency: intent.currency,
    asset: quote?.asset ?? null,
    network: quote?.network ?? null,
    ...receivedOf(open),
    acceptable: open && open.transfers.length > 0 ? partOf(open) : null,
    final: open !== null && open.transfers.length > 0 && open.pending.length === 0,
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

function receivedOf(open: Acceptable | null) {
  if (!open) return { quoted: null, received: null, missing: null, receivedBps: null };
  const { quote, transfers, pending } = open;
  const { amount: received, ...amounts } = amountsOf(quote, [...transfers, ...pending]);
  const { amountAtoms: atoms, decimals } = quote;
  return { quoted: payable({ atoms, decimals }), received, ...amounts };
}

function partOf({ quote, transfers }: Acceptable): AcceptablePart {
  return { ...amountsOf(quote, transfers), transferIds: transfers.map(({ id }) => id) };
}

function amountsOf({ amountAtoms, decimals, toleranceBps }: Quote, transfers: readonly Transfer[]) {
  const atoms = sumAtoms(transfers);
  return {
    amount: { atoms, decimals },
    missing: payable({ atoms: missingAtoms(amountAtoms, atoms, toleranceBps), decimals }),
    receivedBps: mulDiv(atoms, 10_000n, amountAtoms, 'down'),
  };
}
