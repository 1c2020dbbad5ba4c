import type { NetworkConfig } from '../../../../config/config.types.js';
import type { Facts, Transfer } from '../../../chains/chains.types.js';
import type { RefundRequest } from '../../checkout.types.js';
import { finalMoney, type Judged } from '../../domain/final-money.js';
import type { Places } from '../../domain/places.js';
import { belongsTo, sentTransfers } from '../../domain/transfers.js';

/** One version of a buyer's wish, as it is stored. */
export interface StoredRequest {
  readonly network: string;
  readonly address: string;
  readonly note: string | null;
  readonly createdAt: Date;
}

/**
 * Ids of the entry's transfers that are final, and that its buyer may have sent: of the others there is nothing to decide.
 * @param leaving those on their way back: they stay in the entry until that is final, and are decided all the same
 */
export function waitingOf(
  entry: { readonly transfers: readonly string[] } | null,
  judged: Judged,
  places: Places,
  leaving: readonly string[],
): string[] {
  const [waiting, left] = [new Set(entry?.transfers), new Set(leaving)];
  const final = finalMoney(judged, places).filter(({ beforeIssue }) => !beforeIssue);
  return final.map(({ id }) => id).filter((id) => waiting.has(id) && !left.has(id));
}

/** What was sent for an intent and belongs to none of its quotes: it is no part of any price, whatever comes. */
export function straysOf({ quotes, facts }: Pick<Judged, 'quotes' | 'facts'>): Transfer[] {
  return sentTransfers(quotes, facts).filter(
    (transfer) => !quotes.some((quote) => belongsTo(transfer, quote)),
  );
}

/** Transfers that were dismissed. A refund of their asset may have named them since: it is counted by its amount. */
export function keptOf(
  decisions: readonly { readonly kind: string; readonly transfers: readonly string[] }[],
): string[] {
  const dismissed = decisions.filter(({ kind }) => kind === 'dismiss');
  return [...new Set(dismissed.flatMap(({ transfers }) => transfers))];
}

/** Networks on which any of these transfers arrived, as far as they are still configured. */
export function networksOf(transferIds: readonly string[], facts: Facts, places: Places): NetworkConfig[] {
  const ids = new Set(transferIds);
  const arrived = facts.transfers.filter(({ id }) => ids.has(id)).map(({ network }) => network);
  return [...new Set(arrived)].map((id) => places.network(id)).filter((network) => network !== null);
}

export function presentRequest(request: StoredRequest, places: Places): RefundRequest {
  const { network, address, note, createdAt } = request;
  const networkName = places.network(network)?.name ?? network;
  return { network, networkName, address, note, at: createdAt, verified: false };
}
