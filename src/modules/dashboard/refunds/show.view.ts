import type { NetworkConfig } from '../../../config/config.types.js';
import { plainText } from '../../../kernel/crypto-amount.js';
import { addressGroups } from '../../../kernel/text/address-text.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import { drawQr } from '../../../platform/pages/qr.js';
import type { TransferCall } from '../../chains/outgoing.types.js';
import type { RefundOnChain } from '../../intents/refunds.types.js';
import { ungroupedText } from '../domain/amounts.js';
import { moment } from '../domain/times.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import { refundLabel, refundSentence } from './refund-label.js';

export interface ShownRefund {
  readonly refund: RefundOnChain;
  readonly network: NetworkConfig | null;
  /** Opens a wallet with everything filled in; `null` where the asset is configured no more. */
  readonly uri: string | null;
  readonly call: TransferCall | null;
  readonly mayDecide: boolean;
  /** Whether whoever looks has opened the payment last. */
  readonly isMine: boolean;
  /** Of an EVM network: a contract sends it inside a transaction, which is not searched. */
  readonly isCoin: boolean;
  /** Whether a withdrawal was refused because nobody can say that nothing was sent. */
  readonly isUnsure: boolean;
  readonly typed: string;
}

/** What is to be sent and how, until a block holds it; then what the chain says. */
export function refundView(say: Say, shown: ShownRefund): PageModel {
  const { refund, network, uri, call, mayDecide, isMine, isCoin, isUnsure, typed } = shown;
  const { id, intentId, asset, address, state, txid, blockHeight, actor, note, createdAt } = refund;
  const isOpen = state === 'asked' || state === 'sent';
  return {
    title: say('Refund of {amount}', { amount: ungroupedText(refund) }),
    id,
    amount: plainText(refund),
    asset,
    to: { text: address, ...addressGroups(address) },
    txid,
    blockHeight,
    paymentPath: pathTo('payment', intentId),
    networkName: network?.name ?? refund.network,
    state: refundLabel(say, refund),
    answer: refundSentence(say, refund),
    stateName: state,
    isWaiting: state !== 'final' && state !== 'withdrawn',
    explorerUrl: (txid && network?.explorerTx?.replace('{txid}', txid)) || null,
    by: visibleText(actor),
    note: visibleText(note),
    created: moment(createdAt),
    // What was sent is not sent once more because a page still offers it, or because two people look at it.
    mayOpen: mayDecide && state === 'asked' && !isMine,
    opened: refund.openedAt && {
      by: visibleText(refund.openedBy ?? ''),
      isMine,
      at: moment(refund.openedAt),
    },
    seen: refund.openedAt?.toISOString() ?? '',
    send: mayDecide && state === 'asked' && isMine && uri ? { uri, qr: drawQr(uri) } : null,
    call: mayDecide && state === 'asked' && isMine ? call : null,
    isCoin,
    ended: refund.searchEndedAt && moment(refund.searchEndedAt),
    mayResume: mayDecide && refund.searchEndedAt !== null && state !== 'withdrawn',
    undone: refund.undoneAt && moment(refund.undoneAt),
    elsewhereTxid: isOpen ? refund.elsewhereTxid : null,
    againTxid: refund.againTxid,
    mayName: mayDecide && isOpen,
    mayWithdraw: mayDecide && isOpen,
    isSent: state === 'sent',
    isWithdrawn: state === 'withdrawn',
    // Somebody has said so, or the chain could not be asked a moment ago.
    mayBeOut: state === 'sent' || refund.openedAt !== null || isUnsure,
    typed,
  };
}
