import type { NetworkConfig } from '../../../config/config.types.js';
import type { Facts } from '../../chains/chains.types.js';
import type { RefundRecord, RefundRequest } from '../intents.types.js';

/** What the configuration knows of networks; `null` for one that is no longer configured. */
export interface Places {
  network(id: string): NetworkConfig | null;
}

/** One version of a buyer's wish, as it is stored. */
export interface StoredRequest {
  readonly network: string;
  readonly address: string;
  readonly note: string | null;
  readonly createdAt: Date;
}

/** A refund in the merchant's decisions, and the ids of the transfers that it was about. */
export interface StoredRefund {
  readonly transfers: readonly string[];
  readonly refundAmount: string | null;
  readonly refundTxid: string | null;
  readonly createdAt: Date;
}

/** Networks on which any of these transfers arrived, as far as they are still configured. */
export function networksOf(transferIds: readonly string[], facts: Facts, places: Places): NetworkConfig[] {
  const arrived = facts.transfers.filter(({ id }) => transferIds.includes(id)).map(({ network }) => network);
  return [...new Set(arrived)].map((id) => places.network(id)).filter((network) => network !== null);
}

export function presentRequest(request: StoredRequest, places: Places): RefundRequest {
  const { network, address, note, createdAt } = request;
  const networkName = places.network(network)?.name ?? network;
  return { network, networkName, address, note, at: createdAt, verified: false };
}

/** A hash as every network that we know writes it: whatever else a merchant noted is text, never a link. */
const TXID = /^(0x)?[0-9a-f]{64}$/i;

/**
 * A refund as the merchant recorded it. Its asset is that of the money which it was about, and `null` where that was
 * of several kinds: the amount alone does not say which.
 */
export function presentRefund(decision: StoredRefund, facts: Facts, places: Places): RefundRecord {
  const about = facts.transfers.filter(({ id }) => decision.transfers.includes(id));
  const [first] = about;
  const sameNetwork = about.every(({ network }) => network === first?.network);
  const sameAsset = about.every(({ asset }) => asset === first?.asset);
  const network = first && sameNetwork ? places.network(first.network) : null;
  const txid = decision.refundTxid;
  return {
    amount: decision.refundAmount ?? '',
    asset: first && sameNetwork && sameAsset ? first.asset : null,
    network: network?.id ?? null,
    networkName: network?.name ?? null,
    txid,
    explorerUrl: txid && TXID.test(txid) ? (network?.explorerTx?.replace('{txid}', txid) ?? null) : null,
    at: decision.createdAt,
  };
}
