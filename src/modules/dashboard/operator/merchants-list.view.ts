import { visibleText } from '../../../kernel/text/visible-text.js';
import type { Turnover } from '../../intents/payments.types.js';
import {
  MERCHANT_STATUSES,
  type MerchantFilter,
  type MerchantPage,
} from '../../merchants/merchants.types.js';
import { formatAmount } from '../domain/amounts.js';
import { paging } from '../domain/paging.js';
import { moment } from '../domain/times.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import { merchantLabel } from './messages.js';

export const TURNOVER_DAYS = 30;
const MAX_SEARCH = 100;

export interface MerchantFigures {
  readonly turnover: ReadonlyMap<string, readonly Turnover[]>;
  readonly reviews: ReadonlyMap<string, number>;
}

/** The filter out of a page's query; what it does not know is no restriction. */
export function readFilter(query: Readonly<Record<string, unknown>>): MerchantFilter {
  const search = typeof query['q'] === 'string' ? query['q'].trim().slice(0, MAX_SEARCH) : '';
  return {
    status: MERCHANT_STATUSES.find((status) => status === query['status']) ?? null,
    search: search.replaceAll('\0', '') || null,
  };
}

export function merchantsView(
  say: Say,
  { status, search }: MerchantFilter,
  { page, pageSize }: { page: number; pageSize: number },
  { items, total }: MerchantPage,
  { turnover, reviews }: MerchantFigures,
): PageModel {
  return {
    title: say('Merchants'),
    newPath: pathTo('newMerchant'),
    search: search ?? '',
    statuses: MERCHANT_STATUSES.map((value) => ({
      value,
      text: merchantLabel(say, value).text,
      isChosen: value === status,
    })),
    isFiltered: status !== null || search !== null,
    days: TURNOVER_DAYS,
    rows: items.map(({ id, name, status: standing, createdAt }) => ({
      path: pathTo('merchant', id),
      id,
      name: visibleText(name),
      status: merchantLabel(say, standing),
      created: moment(createdAt),
      volumes: turnoverTexts(say, turnover.get(id) ?? []),
      reviews: reviews.get(id) ?? 0,
    })),
    paging: paging(say, pathTo('merchants'), { status, q: search }, { page, pageSize, total }),
  };
}

/** "CHF 1,234.50 in 12 payments". */
export function turnoverTexts(say: Say, turnover: readonly Turnover[]) {
  return turnover.map(({ currency, minor, count }) => ({
    text: formatAmount(say, minor, currency),
    count,
  }));
}
