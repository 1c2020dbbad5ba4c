import type { Stored } from '../../../database/columns.js';
import type { Intent } from '../domain/model.js';

/** The columns of an intent for statements that do not go through TypeORM, in the shape of `IntentRow`. */
export const INTENT_COLUMNS = `
  i.id, i.merchant_id AS "merchantId", i.status, i.amount_minor AS "amountMinor", i.currency, i.title,
  i.idempotency_key AS "idempotencyKey", i.return_url AS "returnUrl", i.quote_id AS "quoteId", i.sequence,
  i.created_at AS "createdAt", i.expires_at AS "expiresAt", i.completed_at AS "completedAt",
  i.confirmed_at AS "confirmedAt", i.settled_at AS "settledAt"`;

export type IntentRow = Stored<Intent>;

/** @param row may have other columns beside: they are left out */
export const toIntent = (row: IntentRow): Intent => ({
  id: row.id,
  merchantId: row.merchantId,
  status: row.status,
  amountMinor: BigInt(row.amountMinor),
  currency: row.currency,
  title: row.title,
  idempotencyKey: row.idempotencyKey,
  returnUrl: row.returnUrl,
  quoteId: row.quoteId,
  sequence: row.sequence,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  completedAt: row.completedAt,
  confirmedAt: row.confirmedAt,
  settledAt: row.settledAt,
});
