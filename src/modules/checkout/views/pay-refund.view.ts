import { isTerminal } from '../../../kernel/intent-status.js';
import { addressGroups } from '../../../kernel/text/address-text.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { CheckoutIntent, CheckoutRefund, RefundRequest } from '../../intents/checkout.types.js';
import { MAX_NOTE_LENGTH, type RefundWish } from '../../intents/checkout/refund-requests.service.js';
import { payPath } from '../../intents/checkout-paths.pure.js';
import type { RefundFlaw } from '../catalogue/catalogue.types.js';
import type { Catalogue } from '../catalogue/en.js';
import { asksBackFirst, hasAsked, mayAskBack } from '../domain/asking-back.js';
import { dateTimeText, httpsUrl, unitText } from '../domain/formats.js';
import { foundTitle } from '../domain/page-message.js';
import { returnedOf } from '../domain/returned.js';
import type { FoundModel, RefundForm, RefundsModel, TransferRow } from './pay.types.js';
import { transferRows } from './pay-facts.view.js';
import { momentParts, textParts } from './text-parts.js';

/** A wish that was not kept, for the form to show again. */
export interface RefusedWish extends RefundWish {
  readonly flaw: RefundFlaw;
}

/** A refund as the page lists it. */
export function refundTransferRow(refund: CheckoutRefund, catalogue: Catalogue): TransferRow {
  const { networkName, state, txid, at } = refund;
  return {
    amount: refundText(refund),
    onNetwork: networkName === null ? '' : catalogue.on(visibleText(networkName)),
    state: catalogue.refunds.states[state],
    when: momentParts(at, catalogue),
    txid: txid === null ? null : visibleText(txid),
    label: catalogue.transaction,
    href: httpsUrl(refund.explorerUrl),
  };
}

function refundText({ amount, asset, typed }: CheckoutRefund): string {
  if (amount !== null && asset !== null) return unitText(amount, visibleText(asset));
  return visibleText(asset === null ? typed : `${typed} ${asset}`);
}

/**
 * What is on record, and the way to the form; `null` where there is neither. While the payment is open, what was found
 * leads to the form itself, above what is still asked for.
 */
export function refundsModel(
  intent: CheckoutIntent,
  merchant: string,
  catalogue: Catalogue,
): RefundsModel | null {
  const requests = intent.refunds?.requests ?? [];
  const request = requests.at(-1) ?? null;
  const mayAsk = mayAskBack(intent);
  const link = isTerminal(intent.status) ? refundLink(intent, catalogue) : null;
  if (!request && !link) return null;
  const isOver = !mayAsk && returnedOf(intent) === 'all';
  const { title, titleAfter, offer, asked, unchecked } = catalogue.refund;
  return {
    title: isOver ? titleAfter : title,
    parts: textParts(
      request ? asked(dateTimeText(request.at, catalogue)) : offer(merchant),
      [request?.at ?? null],
      catalogue,
    ),
    address: request?.address ?? null,
    inGroups: addressGroups(request?.address ?? ''),
    onNetwork: request && catalogue.on(visibleText(request.networkName)),
    note: request?.note ? visibleText(request.note) : null,
    unchecked: request && !isOver ? unchecked(merchant) : null,
    earlier: earlierOf(requests, catalogue),
    link,
  };
}

/** Money that nobody asked for, and how it comes back; `null` where there is none. */
export function foundModel(
  intent: CheckoutIntent,
  merchant: string,
  catalogue: Catalogue,
): FoundModel | null {
  const title = foundTitle(intent, catalogue);
  if (title === null) return null;
  const { not, ask, leave, asked, soon } = catalogue.other;
  const isOpen = !isTerminal(intent.status);
  const text = mayAskBack(intent)
    ? hasAsked(intent)
      ? asked
      : leave
    : isOpen && intent.refunds?.soon
      ? soon
      : ask;
  return {
    title,
    transfers: transferRows(intent.otherTransfers, !isOpen, catalogue),
    text: `${not} ${text(merchant)}`,
    link: isOpen ? refundLink(intent, catalogue) : null,
  };
}

function refundLink(intent: CheckoutIntent, { refund }: Catalogue): RefundsModel['link'] {
  if (!mayAskBack(intent)) return null;
  return {
    href: `${payPath(intent.id)}?refund=1`,
    label: hasAsked(intent) ? refund.change : refund.leave,
    main: asksBackFirst(intent),
  };
}

/** Who has the link may have changed it: whoever left the address sees that, and to what. */
function earlierOf(requests: readonly RefundRequest[], catalogue: Catalogue): RefundsModel['earlier'] {
  const earlier = requests.slice(0, -1).reverse();
  if (earlier.length === 0) return null;
  const rows = earlier.map(({ address, networkName, at }) => ({
    address,
    onNetwork: catalogue.on(visibleText(networkName)),
    parts: momentParts(at, catalogue),
  }));
  return { title: catalogue.refund.earlier, rows };
}

/** Filled with what was refused, else with what is on record. */
export function refundForm(
  intent: CheckoutIntent,
  refused: RefusedWish | null,
  catalogue: Catalogue,
): RefundForm {
  const { networks, requests } = intent.refunds ?? { networks: [], requests: [] };
  const { network, address, note } = refused ?? { network: '', address: '', note: '', ...requests.at(-1) };
  const [only] = networks.length === 1 ? networks : [];
  const chosen = only ?? networks.find((each) => each.network === network);
  const flaw =
    refused &&
    catalogue.refundFlaws[refused.flaw](chosen ? visibleText(chosen.networkName) : catalogue.thatNetwork);
  const isOfNote = refused?.flaw === 'note-too-long';
  return {
    action: payPath(intent.id, 'refund-address'),
    networks: networks.map((each) => ({
      id: each.network,
      name: visibleText(each.networkName),
      selected: each === chosen,
    })),
    onlyNetwork: only?.network ?? null,
    networkLabel: catalogue.refund.network,
    addressLabel: catalogue.refund.address(only ? visibleText(only.networkName) : null),
    addressHint: catalogue.refund.addressHint,
    address,
    addressFlaw: isOfNote ? null : flaw,
    noteLabel: catalogue.refund.note,
    note: note ?? '',
    noteFlaw: isOfNote ? flaw : null,
    noteMaxLength: String(MAX_NOTE_LENGTH),
    save: catalogue.refund.save,
    back: catalogue.back,
    backHref: payPath(intent.id),
  };
}
