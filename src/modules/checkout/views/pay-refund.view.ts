import type { CheckoutIntent } from '../../intents/intents.types.js';
import { MAX_NOTE_LENGTH, type RefundWish } from '../../intents/checkout/refund-requests.service.js';
import { visibleText } from '../../../kernel/visible-text.js';
import { refundFlaws, messages, type RefundFlaw } from '../catalogue.js';
import { dateTimeText } from '../domain/formats.js';
import type { RefundForm, RefundsModel } from './pay.types.js';

/** A wish that was not kept, for the form to show again. */
export interface RefusedWish extends RefundWish {
  readonly flaw: RefundFlaw;
}

/** Whether a refund address may be left or changed. */
export function mayAskRefund({ refunds }: CheckoutIntent): boolean {
  return refunds !== null && refunds.networks.length > 0;
}

/** What is on record, and the way to the form. `null` where there is neither. */
export function refundsModel(intent: CheckoutIntent, merchant: string): RefundsModel | null {
  const request = intent.refunds?.request ?? null;
  const mayAsk = mayAskRefund(intent);
  if (!request && !mayAsk) return null;
  const { title, offer, leave, change, asked, unchecked } = messages.refund;
  return {
    title,
    text: request ? asked(dateTimeText(request.at)) : offer(merchant),
    address: request?.address ?? null,
    onNetwork: request && messages.on(visibleText(request.networkName)),
    note: request?.note ? visibleText(request.note) : null,
    unchecked: request && unchecked(merchant),
    link: mayAsk ? { href: `/pay/${intent.id}?refund=1`, label: request ? change : leave } : null,
  };
}

/** Filled with what was refused, else with what is on record. */
export function refundForm(intent: CheckoutIntent, refused: RefusedWish | null): RefundForm {
  const { networks, request } = intent.refunds ?? { networks: [], request: null };
  const { network, address, note } = refused ?? { network: '', address: '', note: '', ...request };
  const [only] = networks.length === 1 ? networks : [];
  const chosen = only ?? networks.find((each) => each.network === network);
  const flaw =
    refused && refundFlaws[refused.flaw](chosen ? visibleText(chosen.networkName) : messages.thatNetwork);
  const isOfNote = refused?.flaw === 'note-too-long';
  return {
    action: `/pay/${intent.id}/refund-address`,
    networks: networks.map((each) => ({
      id: each.network,
      name: visibleText(each.networkName),
      selected: each === chosen,
    })),
    onlyNetwork: only?.network ?? null,
    networkLabel: messages.refund.network,
    addressLabel: messages.refund.address(only ? visibleText(only.networkName) : null),
    addressHint: messages.refund.addressHint,
    address,
    addressFlaw: isOfNote ? null : flaw,
    noteLabel: messages.refund.note,
    note: note ?? '',
    noteFlaw: isOfNote ? flaw : null,
    noteMaxLength: String(MAX_NOTE_LENGTH),
    save: messages.refund.save,
    back: messages.back,
    backHref: `/pay/${intent.id}`,
  };
}
