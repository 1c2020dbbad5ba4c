import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { RequestFilter, RequestView } from '../auth.types.js';

/** The rows of the request log. */
@Injectable()
export class RequestsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  list(merchantId: string, filter: RequestFilter, limit: number): Promise<RequestView[]> {
    const values: unknown[] = [merchantId, limit];
    const placed = (value: unknown) => `$${values.push(value)}`;
    const conditions = ['r.merchant_id = $1'];
    if (filter.traceId !== null) conditions.push(`r.trace_id = ${placed(filter.traceId)}`);
    if (filter.method !== null) conditions.push(`r.method = ${placed(filter.method)}`);
    if (filter.before !== null) conditions.push(`r.id < ${placed(filter.before)}`);
    if (filter.status !== null) {
      const { from, to } = filter.status;
      conditions.push(`r.status BETWEEN ${placed(from)} AND ${placed(to)}`);
      // In so many words, or the planner does not see that the index of errors is enough.
      if (from >= 400) conditions.push('r.status >= 400');
    }
    return this.dataSource.query<RequestView[]>(
      `SELECT r.id::text, r.at, r.method, r.path, r.status, r.problem, r.trace_id AS "traceId",
              r.duration_ms AS "durationMs", r.intent_id AS "intentId", k.label AS "keyLabel"
       FROM api_request r LEFT JOIN api_key k ON k.id = r.key_id
       WHERE ${conditions.join(' AND ')} ORDER BY r.id DESC LIMIT $2`,
      values,
    );
  }
}
