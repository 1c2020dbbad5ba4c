import type { SoughtPayment } from '../../../chains/outgoing.types.js';
import type { RefundRow } from '../../unsettled/data/find-refunds.statement.js';

/** Where one that was paid is. @throws for one in whose state there is no block */
export function blockOf({ id, blockHeight: height, blockHash: hash }: RefundRow): {
  height: number;
  hash: string;
} {
  if (height === null || hash === null) throw new Error(`refund ${id} is in no block`);
  return { height, hash };
}

/** What a refund's payment is known by. */
export const soughtOf = (refund: RefundRow): SoughtPayment => {
  const { network, asset, address: to, atoms, merchantId, txid, account } = refund;
  const { askedHeight, searchedHeight, searchedHash } = refund;
  const searched = { askedHeight, searchedHeight, searchedHash, upTo: null };
  return { network, asset, to, atoms, merchantId, txid, account, ...searched };
};

/** By what it does alone, also from the wallet that paid the first time, which need not be known to be the merchant's. */
export const soughtAgain = (refund: RefundRow): SoughtPayment => {
  const account = refund.account && { sender: refund.account.sender, nonce: null };
  return { ...soughtOf(refund), txid: null, account, upTo: refund.deepHeight ?? refund.searchedHeight };
};
