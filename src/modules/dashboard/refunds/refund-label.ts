import { pathTo } from '../paths.http.js';
import type { RefundOnChain, RefundState } from '../../intents/refunds.types.js';

const LABELS = {
  asked: { tone: 'warn', text: 'To be sent' },
  sent: { tone: 'warn', text: 'Sent, in no block yet' },
  seen: { tone: 'warn', text: 'In a block, not final yet' },
  final: { tone: 'good', text: 'Final' },
  withdrawn: { tone: 'quiet', text: 'Withdrawn' },
} as const satisfies Readonly<Record<RefundState, { readonly tone: string; readonly text: string }>>;

export const refundLabel = (state: RefundState) => LABELS[state];

/** A line on the pages of its payment. */
export function refundRow({ id, amount, asset, network, address, state }: RefundOnChain) {
  return {
    path: pathTo('refund', id),
    text: `${amount} ${asset} on ${network}`,
    address,
    state: refundLabel(state),
  };
}
