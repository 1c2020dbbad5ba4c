import { amountText, exactText } from '../../../../kernel/crypto-amount.js';
import { formatFiat } from '../../../../kernel/fiat.js';
import type { NewAlert } from '../../../alerts/alerts.types.js';
import type { Facts } from '../../../chains/chains.types.js';
import type { Intent } from '../../domain/model.js';
import { MOST_TOLD } from '../../domain/transfers.js';
import type { Money, ReviewReason } from '../../reviews.types.js';

/** What arrived, as its merchant is told. No title and no key: mail is read on the way. */
const REASONS: Readonly<Record<ReviewReason, string>> = {
  'in-time-seen-late': 'It was paid in time, but we saw the money only after the payment had expired.',
  underpaid: 'Less arrived than was asked for, and the payment has expired.',
  late: 'The whole amount arrived after the payment had expired.',
  'beside-settlement': 'More money arrived than the payment needed to be settled.',
  'after-settlement': 'More money arrived after the payment had been settled.',
  cancelled: 'Money arrived for a payment that was cancelled.',
  failed: 'Money arrived for a payment that had failed.',
  'other-quote': 'Money arrived also by another way to pay than the one that the payment is about.',
  'other-asset': 'Money of another kind than the buyer had chosen arrived.',
  'other-network': 'Money arrived on another network than the buyer had chosen.',
  'before-issue':
    'Money lay at the address of a payment before the payment had it: your wallet was used elsewhere.',
};

/**
 * Money that nothing covers, and that no standing rule will accept.
 * @param transfers ids of what is final: of anything else the merchant cannot be told that it has it
 */
export function reviewAlert(intent: Intent, reason: ReviewReason, transfers: readonly string[]): NewAlert {
  const { id, merchantId } = intent;
  return {
    kind: 'review-entry',
    subject: id,
    merchantId,
    summary: `A payment of ${amountOf(intent)} waits for your decision`,
    detail:
      `${REASONS[reason]} The money is in your wallet and recorded with payment ${id}. ` +
      (isAcceptable(reason)
        ? 'Accept it, or dismiss it with a note, for example after a refund.'
        : 'It can no longer settle the payment: send it back and record the refund, or dismiss it with a note.'),
    data: { reason, transfers: transfers.slice(0, MOST_TOLD) },
  };
}

/** Only of an expired intent, and of a quote that was paid. */
const isAcceptable = (reason: ReviewReason) => ['in-time-seen-late', 'late', 'underpaid'].includes(reason);

/**
 * @param settled ids of the settlement's transfers that the chain no longer holds
 * @param announced ids of other transfers that were announced as final, and that it no longer holds
 */
export function undoneAlert(
  intent: Intent,
  settled: readonly string[],
  announced: readonly string[],
): NewAlert {
  const { id, merchantId } = intent;
  if (settled.length === 0) {
    return {
      kind: 'reorganised-after-settlement',
      subject: id,
      merchantId,
      summary: `Money that was announced for a payment of ${amountOf(intent)} has left the chain`,
      detail:
        `The network has rewritten blocks that were held to be final, and ${announced.length} of the transfers that ` +
        `you were told of for payment ${id} are not in them any more. If they come back, this alert is over by ` +
        'itself. Until then do not send anything back for them.',
      data: { transfers: announced.slice(0, MOST_TOLD) },
    };
  }
  return {
    kind: 'reorganised-after-settlement',
    subject: id,
    merchantId,
    summary: `Money of a settled payment of ${amountOf(intent)} has left the chain`,
    detail:
      `The network has rewritten its latest blocks, and ${settled.length} of the transfers that settled payment ${id} ` +
      'are not in them any more. They often come back within minutes, and then this alert is over by itself. The ' +
      'payment stays settled. If the order has not been shipped, wait; otherwise ask the buyer.',
    data: { transfers: [...settled, ...announced].slice(0, MOST_TOLD) },
  };
}

/** @param beyond by network and asset, by how much the recorded refunds exceed what is there */
export function refundedBeyondAlert(intent: Intent, beyond: readonly Money[]): NewAlert {
  const { id, merchantId } = intent;
  return {
    kind: 'refund-beyond-money',
    subject: id,
    merchantId,
    summary: `More was sent back for a payment of ${amountOf(intent)} than it has brought you`,
    detail:
      `The refunds of payment ${id} exceed the money that is still on the chain for it by ${beyond.map(amountText).join(', ')}. The ` +
      'network has rewritten blocks that were held to be final, and what was refunded is not in them any more. The refunds ' +
      'are in the books, as they were paid. If the money comes back, this alert is over by itself. If it does not, ask the ' +
      'buyer for it.',
    data: {
      beyond: beyond.map((money) => ({
        network: money.network,
        asset: money.asset,
        amount: exactText(money),
      })),
    },
  };
}

/** Transfers that a settlement rests on and that are not in a block any more, or hold less than was settled. */
export function undone(
  settled: readonly { readonly id: string; readonly amountAtoms: bigint }[],
  facts: Facts,
): string[] {
  const onChain = new Map(
    facts.transfers.filter(({ state }) => state === 'included').map((t) => [t.id, t.amountAtoms]),
  );
  return settled.filter(({ id, amountAtoms }) => (onChain.get(id) ?? -1n) < amountAtoms).map(({ id }) => id);
}

function amountOf({ currency, amountMinor }: Intent): string {
  return `${currency} ${formatFiat(amountMinor)}`;
}
