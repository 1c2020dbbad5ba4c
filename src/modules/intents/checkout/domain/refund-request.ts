import type { NetworkConfig } from '../../../../config/config.types.js';
import type { Facts } from '../../../chains/chains.types.js';
import type { RefundRecord, RefundRequest } from '../../intents.types.js';
import type { Places } from '../../domain/places.js';

/** One version of a buyer's wish, as it is stored. */
export interface StoredRequest {
  readonly network: string;
  readonly address: string;
  readonly note: string | null;
  readonly createdAt: Date;
}

/** A refund in the merchant's decisions. One from before refunds named their asset has none. */
export interface StoredRefund {
  readonly refundAmount: string | null;
  readonly refundNetwork: string | null;
  readonly refundAsset: string | null;
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

/** A refund as the merchant recorded it. */
export function presentRefund(decision: StoredRefund, places: Places): RefundRecord {
  const { refundNetwork, refundAsset, refundTxid: txid } = decision;
  const network = refundNetwork === null ? null : places.network(refundNetwork);
  return {
    amount: decision.refundAmount ?? '',
    asset: refundAsset,
    network: refundNetwork,
    networkName: network?.name ?? refundNetwork,
    txid,
    explorerUrl: txid && TXID.test(txid) ? (network?.explorerTx?.replace('{txid}', txid) ?? null) : null,
    at: decision.createdAt,
  };
}
