import type { CheckoutIntent, CheckoutTransfer } from '../../intents/intents.types.js';
import { isOpen } from '../../../kernel/intent-status.js';
import { messages } from '../catalogue.js';
import { dateTimeText, fiatText, httpsUrl, priceText, unitText } from '../domain/formats.js';
import { isZero, type PageState } from '../domain/page-state.js';
import { visibleText } from '../../../kernel/visible-text.js';
import type { FactRow, TransferRow } from './pay.types.js';

/** @param ended of an intent whose time is over, every transfer says whether it is final, or gone for good */
export function transferRow(transfer: CheckoutTransfer, ended: boolean): TransferRow {
  const { state } = transfer;
  const states = messages.transferState;
  const text =
    state !== 'included'
      ? states[state]
      : transfer.final
        ? states.final
        : states.included(transfer.confirmations);
  return {
    amount: unitText(transfer.amount, visibleText(transfer.asset)),
    onNetwork: messages.on(visibleText(transfer.networkName)),
    state: !ended || transfer.final ? text : state === 'missing' ? states.gone : states.notFinal(text),
    txid: transfer.txid,
    label: messages.transaction,
    href: httpsUrl(transfer.explorerUrl),
  };
}

/** The receipt; before the end what there is so far, and what support has to be told. */
export function factRows(intent: CheckoutIntent, state: PageState): FactRow[] {
  const { quote } = intent;
  const names = messages.facts;
  const rows: (FactRow | null)[] = [
    row(names.amount, fiatText(intent.amountMinor, intent.currency)),
    row(state === 'settled' ? names.paidTo : names.to, visibleText(intent.merchant.name)),
    intent.title === null ? null : row(names.title, visibleText(intent.title)),
  ];
  if (quote) {
    const unit = (amount: string): string => unitText(amount, visibleText(quote.asset));
    rows.push(
      row(names.asked, unit(quote.amount)),
      row(names.received, unit(quote.received)),
      isZero(quote.received) || isZero(quote.missing) ? null : row(names.missing, unit(quote.missing)),
      quote.excess === null ? null : row(names.excess, unit(quote.excess)),
      row(names.rate, priceText(quote.price, visibleText(quote.asset), intent.currency)),
      row(names.network, visibleText(quote.networkName)),
      row(names.address, quote.address, true),
    );
  }
  rows.push(
    intent.settledAt ? row(names.settledAt, dateTimeText(intent.settledAt)) : null,
    ...refundRows(intent),
    endRow(intent),
    row(names.payment, intent.id, true),
  );
  return rows.filter((each) => each !== null);
}

function endRow({ status, expiresAt }: CheckoutIntent): FactRow | null {
  if (isOpen(status)) return row(messages.facts.endsAt, dateTimeText(expiresAt));
  return status === 'expired' ? row(messages.facts.endedAt, dateTimeText(expiresAt)) : null;
}

function refundRows({ refunds }: CheckoutIntent): (FactRow | null)[] {
  const refund = refunds?.refund;
  if (!refund) return [];
  const { amount, asset, networkName, txid, at } = refund;
  const what = asset === null ? amount : unitText(amount, visibleText(asset));
  const where = networkName === null ? '' : ` ${messages.on(visibleText(networkName))}`;
  return [
    row(messages.facts.refund, `${what}${where}, ${dateTimeText(at)}`),
    txid === null ? null : row(messages.facts.refundTxid, visibleText(txid), true),
  ];
}

function row(name: string, text: string, code = false): FactRow {
  return { name, text, code };
}
