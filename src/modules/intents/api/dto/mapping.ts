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
    statuses: query.status ?? null,
    createdFrom: query.createdFrom ?? null,
    createdTo: query.createdTo ?? null,
    idempotencyKey: query.idempotencyKey ?? null,
  };
}
