import { type CryptoAmount, isNothing } from '../../../kernel/crypto-amount.js';
import { isOpen } from '../../../kernel/intent-status.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import { listed } from '../../../platform/pages/listed.js';
import type { CheckoutIntent, CheckoutTransfer } from '../../intents/checkout.types.js';
import type { Catalogue } from '../catalogue/en.js';
import { fiatText, httpsUrl, unitPriceText, unitText } from '../domain/formats.js';
import { shownAmount } from '../domain/message-facts.js';
import type { PageState } from '../page-states.types.js';
import type { FactRow, TransferRow, TransferRows } from './pay.types.js';
import { momentParts } from './text-parts.js';

/** @param ended of an intent whose time is over, every transfer says whether it is final, or gone for good */
function transferRow(transfer: CheckoutTransfer, ended: boolean, catalogue: Catalogue): TransferRow {
  const { state } = transfer;
  const states = catalogue.transferState;
  const text =
    state !== 'included'
      ? states[state]
      : transfer.final
        ? states.final
        : states.included(transfer.confirmations);
  return {
    amount: shownAmount(transfer.amount, transfer.asset),
    onNetwork: catalogue.on(visibleText(transfer.networkName)),
    state: !ended || transfer.final ? text : state === 'missing' ? states.gone : states.notFinal(text),
    when: null,
    txid: transfer.txid,
    label: catalogue.transaction,
    href: httpsUrl(transfer.explorerUrl),
  };
}

/** As `transferRow`; of many the first. */
export function transferRows(
  transfers: readonly CheckoutTransfer[],
  ended: boolean,
  catalogue: Catalogue,
): TransferRows {
  const { some, more } = listed(transfers);
  return {
    rows: some.map((transfer) => transferRow(transfer, ended, catalogue)),
    more: more > 0 ? catalogue.moreTransfers(more) : null,
  };
}

/** The receipt; before the end what there is so far, and what support has to be told. */
export function factRows(intent: CheckoutIntent, state: PageState, catalogue: Catalogue): FactRow[] {
  const { quote } = intent;
  const names = catalogue.facts;
  const rows: (FactRow | null)[] = [
    row(names.amount, fiatText(intent.amountMinor, intent.currency, catalogue)),
    row(state === 'settled' ? names.paidTo : names.to, visibleText(intent.merchant.name)),
    intent.title === null ? null : row(names.title, visibleText(intent.title)),
  ];
  if (quote) {
    const unit = (amount: CryptoAmount): string => unitText(amount, visibleText(quote.asset));
    rows.push(
      row(names.asked, unit(quote.amount)),
      row(names.received, unit(quote.received)),
      isNothing(quote.received) || isNothing(quote.missing) ? null : row(names.missing, unit(quote.missing)),
      quote.excess === null ? null : row(names.excess, unit(quote.excess)),
      quote.price === null
        ? null
        : row(names.rate, unitPriceText(quote.price, visibleText(quote.asset), intent.currency, catalogue)),
      row(names.network, visibleText(quote.networkName)),
      row(names.address, quote.address, true),
    );
  }
  rows.push(
    intent.settledAt ? momentRow(names.settledAt, intent.settledAt, catalogue) : null,
    endRow(intent, catalogue),
    row(names.payment, intent.id, true),
  );
  return rows.filter((each) => each !== null);
}

function endRow({ status, expiresAt }: CheckoutIntent, catalogue: Catalogue): FactRow | null {
  const { endsAt, endedAt } = catalogue.facts;
  if (isOpen(status)) return momentRow(endsAt, expiresAt, catalogue);
  return status === 'expired' ? momentRow(endedAt, expiresAt, catalogue) : null;
}

function momentRow(name: string, at: Date, catalogue: Catalogue): FactRow {
  const parts = momentParts(at, catalogue);
  return { name, text: parts[0].text, parts, code: false };
}

function row(name: string, text: string, code = false): FactRow {
  return { name, text, parts: [{ text, iso: null, clock: false }], code };
}
