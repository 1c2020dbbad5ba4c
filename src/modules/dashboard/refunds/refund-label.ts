import { pathTo } from '../paths.http.js';
import type { NamedRefund, RefundOnChain, RefundState } from '../../intents/refunds.types.js';

const LABELS = {
  asked: { tone: 'warn', text: 'To be sent' },
  sent: { tone: 'warn', text: 'Sent, in no block yet' },
  seen: { tone: 'warn', text: 'In a block, not final yet' },
  final: { tone: 'good', text: 'Final' },
  withdrawn: { tone: 'quiet', text: 'Withdrawn' },
} as const satisfies Readonly<Record<RefundState, { readonly tone: string; readonly text: string }>>;

/** What is not looked for any more, or has left the chain, is said with its state. */
export function refundLabel({ state, searchEndedAt, undoneAt }: RefundOnChain) {
  if (undoneAt) return { tone: 'bad', text: 'Left the chain after it was final' };
  if (searchEndedAt && (state === 'asked' || state === 'sent'))
    return { tone: 'warn', text: 'Not found, not looked for any more' };
  return LABELS[state];
}

/** A line on the pages of its payment. */
export function refundRow(refund: NamedRefund) {
  const { id, amount, asset, networkName, address } = refund;
  return {
    path: pathTo('refund', id),
    text: `${amount} ${asset} on ${networkName}`,
    address,
    state: refundLabel(refund),
  };
}
