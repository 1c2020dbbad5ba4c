import { visibleText } from '../../../kernel/text/visible-text.js';
import type { RefundRequest } from '../../intents/checkout.types.js';
import { moment } from '../domain/times.js';

/** Where a buyer would like money back, as they or anybody with the payment's link typed it. */
export function requestView({ networkName, address, note, at }: RefundRequest) {
  return { networkName, address, note: note === null ? null : visibleText(note), at: moment(at) };
}
