import { exactText } from '../../../../kernel/crypto-amount.js';
import { formatDecimal } from '../../../../kernel/decimal.js';
import { type Currency, FIAT_DECIMALS } from '../../../../kernel/fiat.js';
import type { RateSource } from '../../../rates/rates.types.js';

/**
 * `money` is final money of an intent that has ended and that no settlement had taken; `dismissal` says that somebody
 * decided to take none of it as payment, and moves nothing.
 */
export type AccountingRowType = 'payment' | 'money' | 'refund' | 'dismissal';

/** What is recorded of one. Of other rows, what only a settlement has is `null`. */
export interface AccountingRecord {
  readonly type: AccountingRowType;
  readonly at: Date;
  readonly intentId: string;
  readonly title: string | null;
  readonly reference: string | null;
  readonly currency: Currency;
  readonly amountMinor: bigint;
  readonly network: string | null;
  readonly asset: string | null;
  readonly decimals: number | null;
  readonly quotedAtoms: bigint | null;
  readonly receivedAtoms: bigint | null;
  readonly excessAtoms: bigint | null;
  readonly fiatMinor: bigint | null;
  readonly price: string | null;
  readonly spreadBps: number | null;
  readonly rateSources: readonly RateSource[] | null;
  readonly rateAt: Date | null;
  readonly txids: readonly string[];
  readonly decidedBy: string | null;
  readonly reason: string | null;
  readonly refunded: string | null;
  readonly inAtoms: bigint | null;
  readonly outAtoms: bigint | null;
}

/** One line of the accounting export. Amounts are exact decimals; crypto with all decimals of its asset. */
export interface AccountingRow {
  readonly type: AccountingRowType;
  /** When it was settled, became final, or was decided. */
  readonly at: string;
  readonly intentId: string;
  /** The idempotency key: what the merchant calls the order. */
  readonly reference: string | null;
  readonly title: string | null;
  readonly currency: Currency;
  /** What was charged. */
  readonly amount: string;
  readonly asset: string | null;
  readonly network: string | null;
  readonly quoted: string | null;
  readonly received: string | null;
  readonly excess: string | null;
  /** What was received, in `currency`, at the quote's rate and spread; rounded down. */
  readonly fiatReceived: string | null;
  /** The market's price of one unit in `currency`, before the spread. */
  readonly rate: string | null;
  readonly spreadBps: number | null;
  readonly rateSources: readonly RateSource[] | null;
  readonly quotedAt: string | null;
  readonly txids: readonly string[];
  /** The payer's, and those of moving the money: neither passes through here. */
  readonly networkFee: 'unknown';
  /** Who or which standing rule accepted what was short or late, or who decided. */
  readonly decidedBy: string | null;
  readonly reason: string | null;
  readonly refunded: string | null;
  /** What this row adds to, or takes from, what the merchant holds of `asset`: each movement is in one row. */
  readonly in: string | null;
  readonly out: string | null;
}

export function accountingRow(row: AccountingRecord): AccountingRow {
  const { decimals } = row;
  const crypto = (atoms: bigint | null) =>
    atoms === null || decimals === null ? null : exactText({ atoms, decimals });
  return {
    type: row.type,
    at: row.at.toISOString(),
    intentId: row.intentId,
    reference: row.reference,
    title: row.title,
    currency: row.currency,
    amount: fiat(row.amountMinor),
    asset: row.asset,
    network: row.network,
    quoted: crypto(row.quotedAtoms),
    received: crypto(row.receivedAtoms),
    excess: crypto(row.excessAtoms),
    fiatReceived: row.fiatMinor === null ? null : fiat(row.fiatMinor),
    rate: row.price,
    spreadBps: row.spreadBps,
    rateSources: row.rateSources,
    quotedAt: row.rateAt?.toISOString() ?? null,
    txids: row.txids,
    networkFee: 'unknown',
    decidedBy: row.decidedBy,
    reason: row.reason,
    refunded: row.refunded,
    in: crypto(row.inAtoms),
    out: crypto(row.outAtoms),
  };
}

/** For programs: without the separators of thousands that people see. */
const fiat = (minor: bigint) => formatDecimal(minor, FIAT_DECIMALS);

export const ACCOUNTING_COLUMNS = [
  'type',
  'at',
  'intentId',
  'reference',
  'title',
  'currency',
  'amount',
  'asset',
  'network',
  'quoted',
  'received',
  'excess',
  'fiatReceived',
  'rate',
  'spreadBps',
  'rateSources',
  'quotedAt',
  'txids',
  'networkFee',
  'decidedBy',
  'reason',
  'refunded',
  'in',
  'out',
] as const satisfies readonly (keyof AccountingRow)[];

/** The cells of a row, in the order of `ACCOUNTING_COLUMNS`: "kraken 80000; coinbase 80010", and txids apart by spaces. */
export function accountingCells(row: AccountingRow): (string | null)[] {
  const flat: Record<(typeof ACCOUNTING_COLUMNS)[number], string | null> = {
    ...row,
    spreadBps: row.spreadBps === null ? null : String(row.spreadBps),
    rateSources: row.rateSources?.map(({ name, price }) => `${name} ${price}`).join('; ') ?? null,
    txids: row.txids.join(' '),
  };
  return ACCOUNTING_COLUMNS.map((column) => flat[column]);
}
