import { formatFiat, CURRENCIES } from '../../../kernel/fiat.js';
import { INTENT_STATUSES } from '../../../kernel/intent-status.js';
import { visibleText } from '../../../kernel/visible-text.js';
import type { PaymentPage, PaymentRow } from '../../intents/payments.types.js';
import { moment } from '../domain/times.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import { exportPath, listPath, type PaymentsAddress } from './filter.js';
import { statusLabel } from './messages.js';

/** An asset that can be filtered by: "USDC on Ethereum". */
export interface AssetChoice {
  readonly value: string;
  readonly text: string;
}

export function listView(
  { parameters, problems }: PaymentsAddress,
  page: PaymentPage,
  assets: readonly AssetChoice[],
): PageModel {
  const isFiltered = Object.keys(parameters).length > 0;
  const field = (name: string) => parameters[name] ?? '';
  return {
    title: 'Payments',
    problem: problems.length > 0 ? `${problems.join(' ')} The list is shown without that.` : null,
    rows: page.rows.map(rowView),
    isEmpty: page.rows.length === 0,
    isFiltered,
    filter: {
      q: field('q'),
      from: field('from'),
      to: field('to'),
      min: field('min'),
      max: field('max'),
      statuses: choices(INTENT_STATUSES.map(plain), field('status')),
      currencies: choices(CURRENCIES.map(plain), field('currency')),
      assets: choices(assets, field('asset')),
    },
    hasPages: page.newer !== null || page.older !== null,
    newer: page.newer && listPath(parameters, page.newer),
    older: page.older && listPath(parameters, page.older),
    exportPath: exportPath(parameters),
  };
}

function rowView(row: PaymentRow) {
  return {
    path: pathTo('payment', row.id),
    id: row.id,
    name: row.title === null ? null : visibleText(row.title),
    orderKey: row.orderKey === null ? null : visibleText(row.orderKey),
    status: statusLabel(row.status),
    inReview: row.inReview,
    amount: formatFiat(row.amountMinor),
    currency: row.currency,
    received: row.received === null ? null : `${row.received} ${row.asset}`,
    network: row.networkName,
    created: moment(row.createdAt),
  };
}

const plain = (value: string) => ({ value, text: value });

function choices(all: readonly AssetChoice[], chosen: string) {
  return all.map((choice) => ({ ...choice, isChosen: choice.value === chosen }));
}
