import { amountText } from '../../../../kernel/crypto-amount.js';
import type { NewAlert } from '../../../alerts/alerts.types.js';
import type { NamedRefund, RefundOnChain, SearchEnd } from '../../refunds.types.js';

type About = Pick<RefundOnChain, 'id' | 'merchantId' | 'intentId' | 'atoms' | 'decimals' | 'asset' | 'state'>;

/** Nobody has paid it, or not so that it can be found. */
export function unfoundAlert(refund: About & Pick<NamedRefund, 'networkName'>, end: SearchEnd): NewAlert {
  return {
    ...about('refund-unfound', refund),
    summary: `A refund of ${amountText(refund)} has not been found`,
    detail: unfound(refund, end),
  };
}

function unfound({ id, networkName }: Pick<NamedRefund, 'id' | 'networkName'>, end: SearchEnd): string {
  const kept = 'Its money is still kept from any other decision.';
  if (end === 'time') {
    return (
      `Nothing on ${networkName} pays refund ${id}, and it is not looked for any more. ${kept} On its page name the ` +
      'transaction, let it be looked for again, or withdraw it.'
    );
  }
  if (end === 'refused') {
    return (
      `For two days the node of ${networkName} has not told what the search for refund ${id} needs, though it told ` +
      `everything else, so it is not looked for any more. ${kept} Look it up in your wallet, and let it be looked for again ` +
      'once the node answers.'
    );
  }
  return (
    `What pays refund ${id} may be in block ${end.gone} of ${networkName}, which its node does not keep any more, so it ` +
    `cannot be looked for. ${kept} Look it up in your wallet: if it was sent, withdraw the refund and record what was sent, ` +
    'else withdraw it and send it anew.'
  );
}

/** Blocks that were held to be final have been rewritten, or a node has lied. */
export function undoneRefundAlert(refund: About): NewAlert {
  return {
    ...about('refund-undone', refund),
    summary: `A final refund of ${amountText(refund)} has left the chain`,
    detail:
      `The network has rewritten blocks that were held to be final, and the payment of refund ${refund.id} is not in them ` +
      'any more. It stays in the books and is looked for again; if it comes back, this alert is over by itself. If it does ' +
      'not, the buyer does not have the money: look the transaction up in your wallet before you send it once more.',
  };
}

/** On Bitcoin-like networks nobody can say from whom. */
export function paidAgainAlert(refund: About, txid: string): NewAlert {
  const isWithdrawn = refund.state === 'withdrawn';
  return {
    ...about('refund-paid-again', refund),
    summary: isWithdrawn
      ? `A withdrawn refund of ${amountText(refund)} has been paid`
      : `A refund of ${amountText(refund)} has been paid twice`,
    detail:
      (isWithdrawn
        ? `Refund ${refund.id} was withdrawn, and transaction ${txid} pays exactly that. `
        : `Transaction ${txid} pays once more what refund ${refund.id} asked for. `) +
      'It is in no book. If you sent it, record it with the payment, or ask the buyer to send it back.',
    data: { intent: refund.intentId, txid },
  };
}

/** Nobody's claim keeps a merchant from its own payment, so only a person can say whose it is. For the operator. */
export function sharedRefundAlert(refund: About & Pick<RefundOnChain, 'txid'>): NewAlert {
  return {
    ...about('refund-shared', refund),
    merchantId: null,
    summary: 'One payment is taken for refunds of two merchants',
    detail:
      `Transaction ${refund.txid} pays refund ${refund.id} of ${refund.merchantId}, and one of another merchant for the same ` +
      'amount to the same address. Where both use one wallet, one of the two is still to be paid; else one of them has named ' +
      'a payment of the other. Both are in the books of their merchants.',
    data: { intent: refund.intentId, txid: refund.txid },
  };
}

const about = (kind: NewAlert['kind'], { id, merchantId, intentId }: About) => ({
  kind,
  subject: id,
  merchantId,
  data: { intent: intentId },
});
