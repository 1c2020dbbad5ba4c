import { Injectable } from '@nestjs/common';
import type { RequestFilter, RequestPage } from './auth.types.js';
import { RequestsRepository } from './data/requests.repository.js';

/** What a merchant's server asked lately, and what it was answered. Rows appear a second after their request. */
@Injectable()
export class RequestsService {
  constructor(private readonly requests: RequestsRepository) {}

  /** Newest first. @param limit rows of a page */
  async list(merchantId: string, filter: RequestFilter, limit: number): Promise<RequestPage> {
    const rows = await this.requests.list(merchantId, filter, limit + 1);
    const items = rows.slice(0, limit);
    return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
  }
}
