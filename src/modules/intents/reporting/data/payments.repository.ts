import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { rowReader, type Stored } from '../../../../database/columns.js';
import { INTENT_COLUMNS, type IntentRow, toIntent } from '../../data/intent-row.js';
import type { Intent } from '../../domain/model.js';
import type { PaymentCursor, PaymentFilter, Turnover } from '../../payments.types.js';
import type { Conversion, SettledDay } from '../domain/summary.js';
import { tellingWords } from '../domain/telling-words.js';

/** A trace may have created many intents; that many a person looks through. */
const MAX_FOUND = 500;

/** Intents that are known by one exact text in our own tables. Each arm is one look-up in an index. */
const FIND = `
  SELECT id FROM intent WHERE id = $2
  UNION SELECT id FROM intent WHERE merchant_id = $1 AND idempotency_key = $2
  UNION SELECT intent_id FROM transition WHERE trace_id = lower($2)
  UNION SELECT subject FROM event WHERE id = $2
  LIMIT ${MAX_FOUND}`;

const DAYS = `
  SELECT to_char(settled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, currency,
         sum(amount_minor)::text AS minor, count(*)::int AS count
  FROM intent WHERE merchant_id = $1 AND settled_at >= $2 GROUP BY 1, 2 ORDER BY 1`;

/** What settled by a standing tolerance or rule, though less than its price arrived; a person's accept is not among it. */
const FORGIVEN = `
  SELECT i.currency, sum(i.amount_minor - s.fiat_minor)::text AS minor, count(*)::int AS count
  FROM intent i JOIN settlement s ON s.intent_id = i.id
  WHERE i.merchant_id = $1 AND i.settled_at >= $2 AND i.settled_at < $3 AND s.fiat_minor < i.amount_minor
    AND (s.accepted_by IS NULL OR s.accepted_by LIKE 'rule:%')
  GROUP BY 1 ORDER BY 1`;

const CONVERSION = `
  SELECT count(*)::int AS created, count(settled_at)::int AS settled,
         percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM settled_at - created_at)) AS "medianS",
         EXISTS (SELECT FROM intent_count WHERE merchant_id = $1 AND status = 'settled' AND intents > 0) AS ever
  FROM intent WHERE merchant_id = $1 AND created_at >= $2`;

const TURNOVER = `
  SELECT merchant_id AS "merchantId", currency, sum(amount_minor)::text AS minor, count(*)::int AS count
  FROM intent WHERE merchant_id = ANY ($1) AND settled_at >= clock_timestamp() - make_interval(days => $2)
  GROUP BY 1, 2 ORDER BY 1, 2`;

export interface TurnoverOf extends Turnover {
  readonly merchantId: string;
}

const toDay = rowReader<SettledDay>({ minor: true });
const toTurnoverOf = rowReader<TurnoverOf>({ minor: true });
const toTurnover = rowReader<Turnover>({ minor: true });

export interface PaymentRecord {
  readonly intent: Intent;
  readonly inReview: boolean;
}

/** How a merchant's table of payments is read. */
@Injectable()
export class PaymentRows {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Payments next to a cursor, from it outwards: newest first without one or with `older`, oldest first with
   * `newer`. Only the conditions that are asked for are written, so that each finds its index.
   * @param found ids that a search knows exactly; `null` without a search. What it is a part of is looked for here.
   */
  async page(
    merchantId: string,
    filter: PaymentFilter,
    found: readonly string[] | null,
    cursor: PaymentCursor | null,
    limit: number,
  ): Promise<PaymentRecord[]> {
    const values: unknown[] = [];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const where = conditions(merchantId, filter, found, bind);
    const newer = cursor?.direction === 'newer';
    if (cursor) where.push(`(i.created_at, i.id) ${newer ? '>' : '<'} ${placeOf(bind(cursor.id))}`);
    const direction = newer ? 'ASC' : 'DESC';
    const rows = await this.dataSource.query<(IntentRow & { inReview: boolean })[]>(
      `SELECT ${INTENT_COLUMNS}, EXISTS (SELECT FROM review_entry r WHERE r.intent_id = i.id) AS "inReview"
       FROM intent i ${(filter.asset ?? filter.network) ? 'JOIN quote q ON q.id = i.quote_id' : ''}
       WHERE ${where.join(' AND ')}
       ORDER BY i.created_at ${direction}, i.id ${direction} LIMIT ${bind(limit)}`,
      values,
    );
    return rows.map(({ inReview, ...row }) => ({ intent: toIntent(row), inReview }));
  }

  async days(merchantId: string, from: Date): Promise<SettledDay[]> {
    return (await this.dataSource.query<Stored<SettledDay>[]>(DAYS, [merchantId, from])).map(toDay);
  }

  async turnover(merchantIds: readonly string[], days: number): Promise<TurnoverOf[]> {
    const rows = await this.dataSource.query<Stored<TurnoverOf>[]>(TURNOVER, [merchantIds, days]);
    return rows.map(toTurnoverOf);
  }

  async forgiven(merchantId: string, from: Date, to: Date): Promise<Turnover[]> {
    const rows = await this.dataSource.query<Stored<Turnover>[]>(FORGIVEN, [merchantId, from, to]);
    return rows.map(toTurnover);
  }

  async conversion(merchantId: string, from: Date): Promise<Conversion> {
    const [row] = await this.dataSource.query<[Conversion]>(CONVERSION, [merchantId, from]);
    return row;
  }

  /** Known by its id, the merchant's order key, a traceId or an event's id; not necessarily the merchant's own. */
  async find(merchantId: string, text: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(FIND, [merchantId, text]);
    return rows.map(({ id }) => id);
  }
}

/** A cursor's place in the order, wherever the row stands now; ids of nobody have none and match nothing. */
const placeOf = (id: string) => `(SELECT created_at, id FROM intent WHERE id = ${id})`;

function conditions(
  merchantId: string,
  filter: PaymentFilter,
  found: readonly string[] | null,
  bind: (value: unknown) => string,
): string[] {
  const { statuses, inReview, createdFrom, createdTo, currency, asset, network, search } = filter;
  const { amountFromMinor, amountToMinor } = filter;
  const where = [`i.merchant_id = ${bind(merchantId)}`];
  if (found !== null) where.push(searched(search, `i.id = ANY (${bind(found)})`, bind));
  if (inReview) where.push('EXISTS (SELECT FROM review_entry r WHERE r.intent_id = i.id)');
  if (statuses !== null) where.push(`i.status = ANY (${bind(statuses)})`);
  if (createdFrom !== null) where.push(`i.created_at >= ${bind(createdFrom)}`);
  if (createdTo !== null) where.push(`i.created_at < ${bind(createdTo)}`);
  if (currency !== null) where.push(`i.currency = ${bind(currency)}`);
  if (asset !== null) where.push(`q.asset = ${bind(asset)}`);
  if (network !== null) where.push(`q.network = ${bind(network)}`);
  if (amountFromMinor !== null) where.push(`i.amount_minor >= ${bind(String(amountFromMinor))}`);
  if (amountToMinor !== null) where.push(`i.amount_minor <= ${bind(String(amountToMinor))}`);
  return where;
}

/**
 * What is known exactly, or what has the text in its order key or title. The index is asked for the telling words alone:
 * every key of a shop may begin with "order-", and looking up what all rows have takes longer than the rest.
 */
function searched(search: string | null, exactly: string, bind: (value: unknown) => string): string {
  const words = search === null ? [] : tellingWords(search);
  if (search === null || words.length === 0) return exactly;
  const whole = bind(search);
  const patterns = words.map((word) => bind(`%${word}%`));
  const has = (column: string) =>
    [
      ...patterns.map((pattern) => `${column} ILIKE ${pattern}`),
      `strpos(lower(${column}), lower(${whole})) > 0`,
    ].join(' AND ');
  return `(${exactly} OR ${has('i.idempotency_key')} OR ${has('i.title')})`;
}
