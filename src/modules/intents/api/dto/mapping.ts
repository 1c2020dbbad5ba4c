import { parseFiat } from '../../../../kernel/fiat.js';
import type { ListFilter } from '../../data/intents.repository.js';
import type { NewIntent } from '../../lifecycle/domain/request.js';
import type { CreateIntentRequest } from './create-intent.request.js';
import type { ListIntentsQuery } from './list-intents.query.js';

/** A validated body as the domain wants it. */
export function toNewIntent(request: CreateIntentRequest): NewIntent {
  const amountMinor = parseFiat(request.amount);
  if (typeof amountMinor !== 'bigint') throw new Error('the amount has not been validated');
  return {
    amountMinor,
    currency: request.currency,
    title: request.title ?? null,
    idempotencyKey: request.idempotencyKey ?? null,
    returnUrl: request.returnUrl ?? null,
  };
}

export function toListFilter(merchantId: string, query: ListIntentsQuery): ListFilter {
  return {
    merchantId,
    statuses: query.status === undefined ? null : [query.status].flat(),
    createdFrom: query.createdFrom === undefined ? null : new Date(query.createdFrom),
    createdTo: query.createdTo === undefined ? null : new Date(query.createdTo),
    idempotencyKey: query.idempotencyKey ?? null,
  };
}

/** Page 1, 20 on a page, unless the query says otherwise. */
export function toPage(query: ListIntentsQuery): { page: number; pageSize: number } {
  return { page: Number(query.page ?? 1), pageSize: Number(query.pageSize ?? 20) };
}
