import { wireText } from '../../../kernel/crypto-amount.js';
import { formatDecimal } from '../../../kernel/decimal.js';
import { FIAT_DECIMALS } from '../../../kernel/fiat.js';
import type { CsvColumns } from '../../../kernel/text/csv.js';
import type { PaymentRow } from '../../intents/payments.types.js';

/** The columns of the export, in order. Amounts are decimal strings, times ISO 8601 in UTC. */
export const PAYMENT_COLUMNS: CsvColumns<PaymentRow> = [
  ['id', (row) => row.id],
  ['status', (row) => row.status],
  ['order_key', (row) => row.orderKey],
  ['title', (row) => row.title],
  ['amount', (row) => formatDecimal(row.amountMinor, FIAT_DECIMALS)],
  ['currency', (row) => row.currency],
  ['asset', (row) => row.asset],
  ['network', (row) => row.network],
  ['quoted', (row) => row.quoted && wireText(row.quoted)],
  ['received', (row) => row.received && wireText(row.received)],
  ['address', (row) => row.address],
  ['in_review', (row) => (row.inReview ? 'yes' : 'no')],
  ['created_at', (row) => row.createdAt.toISOString()],
  ['expires_at', (row) => row.expiresAt.toISOString()],
  ['confirmed_at', (row) => row.confirmedAt?.toISOString() ?? null],
  ['settled_at', (row) => row.settledAt?.toISOString() ?? null],
];
