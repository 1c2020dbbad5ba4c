import type { EntityManager } from 'typeorm';
import type { By } from '../../../database/by.js';
import type { RefundRow } from '../unsettled/data/find-refunds.statement.js';

export type RefundAction =
  | 'refund.opened'
  | 'refund.sent'
  | 'refund.seen'
  | 'refund.undone'
  | 'refund.recorded'
  | 'refund.paid-again'
  | 'refund.search-ended'
  | 'refund.resumed'
  | 'refund.withdrawn';

/** What became of a refund, in the audit log: by whom, or by which chain. */
export function recordRefund(
  tx: EntityManager,
  by: By,
  { id, merchantId, intentId }: RefundRow,
  action: RefundAction,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return by.record(tx, { merchantId, action, subject: intentId, detail: { refund: id, ...detail } });
}
