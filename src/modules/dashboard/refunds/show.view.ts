import type { NetworkConfig } from '../../../config/config.types.js';
import { visibleText } from '../../../kernel/visible-text.js';
import { drawQr } from '../../../platform/pages/qr.js';
import type { TransferCall } from '../../chains/outgoing.types.js';
import type { RefundOnChain } from '../../intents/refunds.types.js';
import { moment } from '../domain/times.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import { refundLabel } from './refund-label.js';

export interface ShownRefund {
  readonly refund: RefundOnChain;
  readonly network: NetworkConfig | null;
  /** Opens a wallet with everything filled in; `null` where the asset is configured no more. */
  readonly uri: string | null;
  readonly call: TransferCall | null;
  readonly mayDecide: boolean;
  readonly typed: string;
  readonly flaws: Readonly<Record<string, string>>;
}

/** What is to be sent and how, until a block holds it; then what the chain says. */
export function showView({ refund, network, uri, call, mayDecide, typed, flaws }: ShownRefund): PageModel {
  const { id, intentId, amount, asset, address, state, txid, blockHeight, actor, note, createdAt } = refund;
  const isOpen = state === 'asked' || state === 'sent';
  return {
    title: `Refund of ${amount} ${asset}`,
    ...{ id, amount, asset, address, txid, blockHeight },
    path: pathTo('refund', id),
    paymentPath: pathTo('payment', intentId),
    networkName: network?.name ?? refund.network,
    state: refundLabel(state),
    stateName: state,
    isWaiting: state !== 'final' && state !== 'withdrawn',
    explorerUrl: (txid && network?.explorerTx?.replace('{txid}', txid)) || null,
    by: visibleText(actor),
    note: visibleText(note),
    created: moment(createdAt),
    // What was sent is not sent once more because a page still offers it.
    send: mayDecide && state === 'asked' && uri ? { uri, qr: drawQr(uri) } : null,
    call: mayDecide && state === 'asked' ? call : null,
    mayName: mayDecide && isOpen,
    mayWithdraw: mayDecide && isOpen,
    isSent: state === 'sent',
    typed,
    txidFlaw: flaws['txid'] ?? null,
  };
}
