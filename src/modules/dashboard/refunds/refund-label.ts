import type { NamedRefund, RefundOnChain, RefundState } from '../../intents/refunds.types.js';
import type { Refundable } from '../../intents/reviews.types.js';
import { ungroupedText } from '../domain/amounts.js';
import type { Text } from '../language/german/german.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';

const LABELS = {
  asked: { tone: 'warn', text: 'To be sent' },
  sent: { tone: 'warn', text: 'Sent, in no block yet' },
  seen: { tone: 'warn', text: 'In a block, not final yet' },
  final: { tone: 'good', text: 'Final' },
  withdrawn: { tone: 'quiet', text: 'Withdrawn' },
} as const satisfies Readonly<Record<RefundState, { readonly tone: string; readonly text: Text }>>;

/** What is not looked for any more, or has left the chain, is said with its state. */
export function refundLabel(say: Say, { state, searchEndedAt, undoneAt }: RefundOnChain) {
  if (undoneAt) return { tone: 'bad', text: say('Left the chain after it was final') };
  if (searchEndedAt && (state === 'asked' || state === 'sent'))
    return { tone: 'warn', text: say('Not found, not looked for any more') };
  const { tone, text } = LABELS[state];
  return { tone, text: say(text) };
}

const SENTENCES = {
  asked: 'It is still to be sent. Nothing moves before you send it with your wallet.',
  sent: 'It was sent, and no block holds it yet. It is looked for by itself.',
  seen: 'A block holds it, and it is not final yet. Nothing is to be done.',
  final: 'It was sent and is final. Nothing is to be done.',
  withdrawn: 'It was withdrawn. Its money waits for a decision again.',
} as const satisfies Readonly<Record<RefundState, Text>>;

/** How it stands, and what comes now. */
export function refundSentence(say: Say, { state, searchEndedAt, undoneAt }: RefundOnChain): string {
  if (undoneAt) return say('It has left the chain after it was final, and is looked for again.');
  if (searchEndedAt && (state === 'asked' || state === 'sent'))
    return say('It was not found, and is not looked for any more. Its money is still kept.');
  return say(SENTENCES[state]);
}

/** A line on the pages of its payment. */
export function refundRow(say: Say, refund: NamedRefund) {
  const { id, networkName, address } = refund;
  return {
    path: pathTo('refund', id),
    text: say('{amount} on {network}', { amount: ungroupedText(refund), network: networkName }),
    address,
    state: refundLabel(say, refund),
  };
}

/** "12.5 USDC on Ethereum, 3 USDT on Base": what can be given back at most. */
export function mostText(say: Say, refundable: readonly Refundable[]): string {
  return refundable
    .map((each) => say('{amount} on {network}', { amount: ungroupedText(each), network: each.networkName }))
    .join(', ');
}
