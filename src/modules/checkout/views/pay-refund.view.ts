import type { CheckoutIntent } from '../../intents/intents.types.js';
import { MAX_NOTE_LENGTH, type RefundWish } from '../../intents/checkout/refund-requests.service.js';
import { visibleText } from '../../../kernel/visible-text.js';
import type { RefundFlaw } from '../catalogue/catalogue.types.js';
import type { Catalogue } from '../catalogue/en.js';
import { dateTimeText } from '../domain/formats.js';
import type { RefundForm, RefundsModel } from './pay.types.js';
import { textParts } from './text-parts.js';

/** A wish that was not kept, for the form to show again. */
export interface RefusedWish extends RefundWish {
  readonly flaw: RefundFlaw;
}

/** Whether a refund address may be left or changed. */
export function mayAskRefund({ refunds }: CheckoutIntent): boolean {
  return refunds !== null && refunds.networks.length > 0;
}

/** What is on record, and the way to the form. `null` where there is neither. */
export function refundsModel(
  intent: CheckoutIntent,
  merchant: string,
  catalogue: Catalogue,
): RefundsModel | null {
  const request = intent.refunds?.request ?? null;
  const mayAsk = mayAskRefund(intent);
  if (!request && !mayAsk) return null;
  const { title, offer, leave, change, asked, unchecked } = catalogue.refund;
  return {
    title,
    parts: textParts(
      request ? asked(dateTimeText(request.at, catalogue)) : offer(merchant),
      [request?.at ?? null],
      catalogue,
    ),
    address: request?.address ?? null,
    onNetwork: request && catalogue.on(visibleText(request.networkName)),
    note: request?.note ? visibleText(request.note) : null,
    unchecked: request && unchecked(merchant),
    link: mayAsk ? { href: `/pay/${intent.id}?refund=1`, label: request ? change : leave } : null,
  };
}

/** Filled with what was refused, else with what is on record. */
export function refundForm(
  intent: CheckoutIntent,
  refused: RefusedWish | null,
  catalogue: Catalogue,
): RefundForm {
  const { networks, request } = intent.refunds ?? { networks: [], request: null };
  const { network, address, note } = refused ?? { network: '', address: '', note: '', ...request };
  const [only] = networks.length === 1 ? networks : [];
  const chosen = only ?? networks.find((each) => each.network === network);
  const flaw =
    refused &&
    catalogue.refundFlaws[refused.flaw](chosen ? visibleText(chosen.networkName) : catalogue.thatNetwork);
  const isOfNote = refused?.flaw === 'note-too-long';
  return {
    action: `/pay/${intent.id}/refund-address`,
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
    backHref: `/pay/${intent.id}`,
  };
}
