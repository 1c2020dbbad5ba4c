import type { NetworkConfig } from '../../../../config/config.types.js';
import { expectedWaitS } from '../../../../config/depths.js';
import { completionThreshold, missingAtoms, payable } from '../../../../kernel/crypto-amount.js';
import { isOpen, isTerminal } from '../../../../kernel/intent-status.js';
import type { Facts, Transfer } from '../../../chains/chains.types.js';
import type { TransferCall } from '../../../chains/outgoing.types.js';
import type { CheckoutQuote, CheckoutTransfer } from '../../checkout.types.js';
import { finalIn, type Judged } from '../../domain/final-money.js';
import type { Intent, Quote } from '../../domain/model.js';
import type { Places } from '../../domain/places.js';
import { excessOf, recordedPrice } from '../../domain/settlement.js';
import {
  belongsTo,
  confirmations,
  hasDepth,
  liveTransfersOf,
  sentTransfers,
  sumAtoms,
} from '../../domain/transfers.js';

/** On networks without a mempool a payment is first seen in a block: the page stops asking two blocks early. */
export function sendBefore(expiresAt: Date, network: NetworkConfig): Date {
  if (network.family !== 'evm') return expiresAt;
  return new Date(expiresAt.getTime() - 2 * network.blockIntervalS * 1000);
}

/** A buyer may switch until a transfer of a quoted asset, at its quote's address, is live. */
export function maySwitch(intent: Intent, quotes: readonly Quote[], facts: Facts): boolean {
  return isOpen(intent.status) && quotes.every((quote) => liveTransfersOf(quote, facts).length === 0);
}

/** A buyer may cancel while nothing of any listed asset is live at any of the intent's addresses. */
export function mayCancel(intent: Intent, quotes: readonly Quote[], facts: Facts): boolean {
  return isOpen(intent.status) && sentTransfers(quotes, facts).length === 0;
}

/** A reorganisation has taken out what it rests on: the status stays, and nothing further follows until the money is back. */
export function isWithheld({ status }: Intent, shown: Quote | null, facts: Facts): boolean {
  if (!shown || (status !== 'pending' && status !== 'confirmed')) return false;
  const live = liveTransfersOf(shown, facts);
  return live.some(({ state }) => state === 'orphaned') || (status === 'confirmed' && live.length === 0);
}

/** Live transfers that belong to no quote, and those of quotes other than the one shown. */
export function otherTransfers(intent: Intent, shown: Quote | null, quotes: readonly Quote[], facts: Facts) {
  return shownOf(intent, sentTransfers(quotes, facts)).filter((t) => !(shown && belongsTo(t, shown)));
}

/** What was seen for the quote of a failed intent, and is not there any more: replaced, or dropped. */
export function droppedTransfers(intent: Intent, shown: Quote | null, facts: Facts): readonly Transfer[] {
  if (intent.status !== 'failed' || !shown) return [];
  const there = new Set(shownOf(intent, liveTransfersOf(shown, facts)));
  return facts.transfers.filter((t) => belongsTo(t, shown) && !t.own && !there.has(t));
}

/** Once an intent has ended, what is neither on the chain nor in the mempool is no money that anybody is told of. */
function shownOf(intent: Intent, live: readonly Transfer[]): readonly Transfer[] {
  return isTerminal(intent.status) ? live.filter(({ missingSince }) => missingSince === null) : live;
}

/** The transfers of an intent as the page shows them. */
export function shownTransferIn(judged: Judged, places: Places): (transfer: Transfer) => CheckoutTransfer {
  const isFinal = finalIn(judged, places);
  return (transfer) => {
    const { state, decimals } = transfer;
    const network = places.network(transfer.network);
    return {
      txid: transfer.txid,
      network: transfer.network,
      networkName: network?.name ?? transfer.network,
      asset: transfer.asset,
      // What nobody knows is never 0: a wrong amount is worse than none.
      amount: decimals === null ? null : { atoms: transfer.amountAtoms, decimals },
      state: state === 'mempool' || state === 'included' ? state : 'missing',
      confirmations: confirmations(transfer, judged.facts.tips.get(transfer.network)),
      final: isFinal(transfer),
      explorerUrl: network?.explorerTx?.replace('{txid}', transfer.txid) ?? null,
    };
  };
}

/** One payment, in the forms in which wallets take it. */
export interface WalletForms {
  readonly withAmount: string;
  readonly addressOnly: string;
  readonly call: TransferCall | null;
}

/**
 * The quote as the page shows it. What an ended intent has received is what has its quote's depth; that it was too much is
 * said once that may be given back. `formsFor` writes it for wallets, for an amount that is still to be sent.
 */
export function checkoutQuote(
  intent: Intent,
  quote: Quote,
  facts: Facts,
  network: NetworkConfig,
  places: Places,
  formsFor: (atoms: bigint) => WalletForms,
): CheckoutQuote {
  const judged = { intent, quotes: [quote], facts };
  const transfers = shownOf(intent, liveTransfersOf(quote, facts));
  const hasEnded = isTerminal(intent.status);
  const tip = facts.tips.get(quote.network);
  const received = sumAtoms(
    transfers.filter((transfer) => !hasEnded || hasDepth(transfer, quote.settlementDepth, tip)),
  );
  const missing = missingAtoms(quote.amountAtoms, received, quote.toleranceBps);
  const excess = hasEnded && !transfers.every(finalIn(judged, places)) ? 0n : excessOf(quote, received);
  const forms = formsFor(missing > 0n ? missing : quote.amountAtoms);
  const { decimals, settlementDepth } = quote;
  return {
    network: quote.network,
    networkName: network.name,
    asset: quote.asset,
    amount: payable({ atoms: quote.amountAtoms, decimals }),
    address: quote.address,
    uri: forms.withAmount,
    addressUri: forms.addressOnly,
    call: forms.call,
    price: recordedPrice(quote),
    received: { atoms: received, decimals },
    missing: payable({ atoms: missing, decimals }),
    excess: excess > 0n ? { atoms: excess, decimals } : null,
    complete: received >= completionThreshold(quote.amountAtoms, quote.toleranceBps),
    transfers: transfers.map(shownTransferIn(judged, places)),
    requiredConfirmations: typeof settlementDepth === 'number' ? settlementDepth : null,
    expectedSettleS: expectedWaitS(network, settlementDepth),
    sendBefore: sendBefore(intent.expiresAt, network),
  };
}
