import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NOW_ONCE } from '../../../../database/clock.js';
import { rowReader, type Stored } from '../../../../database/columns.js';
import { CURRENCIES } from '../../../../kernel/fiat.js';
import { dayText } from '../../../../kernel/text/calendar.js';
import { INTENT_COLUMNS, type IntentRow, toIntent } from '../../data/intent-columns.sql.js';
import type { Intent } from '../../domain/model.js';
import type { PaymentCursor, PaymentFilter, Turnover } from '../../payments.types.js';
import { searchTerms } from '../domain/search-terms.js';
import type { Conversion, SettledDay } from '../domain/summary.js';

/** A trace may have created many intents; that many a person looks through. */
const MAX_FOUND = 500;

/**
 * Intents of a merchant that are known by one exact text in our own tables. Each arm is one look-up in an index. Whose they are
 * is asked before they are counted: a trace is what its caller says it is, and others may say the same.
 */
const FIND = `
  SELECT i.id FROM (
    SELECT $2 AS id
    UNION SELECT id FROM intent WHERE merchant_id = $1 AND idempotency_key = $2
    UNION SELECT intent_id FROM transition WHERE trace_id = lower($2)
    UNION SELECT subject FROM event WHERE id = $2
  ) AS found JOIN intent i ON i.id = found.id
  WHERE i.merchant_id = $1 LIMIT ${MAX_FOUND}`;

const DAYS = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, currency, sum(settled_minor)::text AS minor, sum(settled)::int AS count
  FROM intent_day WHERE merchant_id = $1 AND day >= $2 GROUP BY 1, 2 HAVING sum(settled) > 0 ORDER BY 1`;

/** What settled by a standing tolerance or rule, though less than its price arrived; a person's accept is not among it. */
const FORGIVEN = `
  SELECT currency, sum(forgiven_minor)::text AS minor, sum(forgiven)::int AS count
  FROM intent_day WHERE merchant_id = $1 AND day >= $2 AND day < $3 GROUP BY 1 HAVING sum(forgiven) > 0 ORDER BY 1`;

/** A median has no sum to keep: that of the newest says how fast it goes (ADR 76). */
const MEDIAN_OF = 1_000;

const CONVERSION = `
  SELECT created, settled, "medianS",
         EXISTS (SELECT FROM intent_count WHERE merchant_id = $1 AND status = 'settled' AND intents > 0) AS ever
  FROM (SELECT coalesce(sum(created), 0)::int AS created, coalesce(sum(created_settled), 0)::int AS settled
        FROM intent_day WHERE merchant_id = $1 AND day >= $2) AS counted,
       (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM settled_at - created_at)) AS "medianS"
        FROM (SELECT created_at, settled_at FROM intent
              WHERE merchant_id = $1 AND status = 'settled' AND created_at >= ($2::date AT TIME ZONE 'UTC')
              ORDER BY created_at DESC, id DESC LIMIT ${MEDIAN_OF}) AS newest) AS paid`;

const TURNOVER = `
  SELECT merchant_id AS "merchantId", currency, sum(settled_minor)::text AS minor, sum(settled)::int AS count
  FROM intent_day WHERE merchant_id = ANY ($1) AND day > (${NOW_ONCE} AT TIME ZONE 'UTC')::date - $2::int
  GROUP BY 1, 2 HAVING sum(settled) > 0 ORDER BY 1, 2`;

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

export interface PaymentsPart {
  readonly merchantId: string;
  readonly filter: PaymentFilter;
  /** Ids that a search knows exactly; `null` without a search. What it is a part of is looked for here. */
  readonly found: readonly string[] | null;
  readonly cursor: PaymentCursor | null;
  readonly limit: number;
}

/** How a merchant's table of payments is read. */
@Injectable()
export class PaymentsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Payments next to a cursor, from it outwards: newest first without one or with `older`, oldest first with
   * `newer`. Only the conditions that are asked for are written, so that each finds its index.
   */
  batch(query: PaymentsPart): Promise<PaymentRecord[]> {
    return this.read(query, 'planned');
  }

  /**
   * As `batch`, for somebody who waits. Terms that many payments have fill a page from the nearest ones; terms that few have
   * are found by their index. The planner cannot tell which of them it is: it would read a million rows in order.
   */
  async page(query: PaymentsPart): Promise<PaymentRecord[]> {
    if (searchTerms(query.filter.search ?? '').indexed.length === 0) return this.batch(query);
    const nearest = await this.read(query, 'nearest');
    return nearest.length >= query.limit ? nearest : this.read(query, 'by-terms');
  }

  async days(merchantId: string, from: Date): Promise<SettledDay[]> {
    return (await this.dataSource.query<Stored<SettledDay>[]>(DAYS, [merchantId, dayText(from)])).map(toDay);
  }

  async turnover(merchantIds: readonly string[], days: number): Promise<TurnoverOf[]> {
    const rows = await this.dataSource.query<Stored<TurnoverOf>[]>(TURNOVER, [merchantIds, days]);
    return rows.map(toTurnoverOf);
  }

  async forgiven(merchantId: string, from: Date, to: Date): Promise<Turnover[]> {
    const rows = await this.dataSource.query<Stored<Turnover>[]>(FORGIVEN, [
      merchantId,
      dayText(from),
      dayText(to),
    ]);
    return rows.map(toTurnover);
  }

  async conversion(merchantId: string, from: Date): Promise<Conversion> {
    const [row] = await this.dataSource.query<[Conversion]>(CONVERSION, [merchantId, dayText(from)]);
    return row;
  }

  /** The merchant's own that are known by their id, order key, a traceId or an event's id. */
  async find(merchantId: string, text: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(FIND, [merchantId, text]);
    return rows.map(({ id }) => id);
  }

  private async read(
    { merchantId, filter, found, cursor, limit }: PaymentsPart,
    way: Way,
  ): Promise<PaymentRecord[]> {
    const values: unknown[] = [];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const newer = cursor?.direction === 'newer';
    const direction = newer ? 'ASC' : 'DESC';
    const order = `ORDER BY i.created_at ${direction}, i.id ${direction}`;
    const whose = bind(merchantId);
    const rows = [`i.merchant_id = ${whose}`];
    if (cursor) rows.push(`(i.created_at, i.id) ${newer ? '>' : '<'} ${placeOf(bind(cursor.id), whose)}`);
    const where = conditions(filter, bind);
    if (found !== null) {
      const searched = `(i.id = ANY (${bind(found)})${partly(filter.search, bind)})`;
      (way === 'by-terms' ? rows : where).push(searched);
    }
    const intents = {
      planned: `SELECT * FROM intent i WHERE ${rows.join(' AND ')}`,
      nearest: `SELECT * FROM intent i WHERE ${rows.join(' AND ')} ${order} LIMIT ${NEAREST}`,
      // What follows an OFFSET is not drawn into the query before it, whose index would be that of the order.
      'by-terms': `SELECT * FROM intent i WHERE ${rows.join(' AND ')} OFFSET 0`,
    };
    const records = await this.dataSource.query<(IntentRow & { inReview: boolean })[]>(
      `SELECT ${INTENT_COLUMNS}, EXISTS (SELECT FROM review_entry r WHERE r.intent_id = i.id) AS "inReview"
       FROM (${intents[way]}) i ${(filter.asset ?? filter.network) ? 'JOIN quote q ON q.id = i.quote_id' : ''}
       WHERE ${['true', ...where].join(' AND ')} ${order} LIMIT ${bind(limit)}`,
      values,
    );
    return records.map((row) => ({ intent: toIntent(row), inReview: row.inReview }));
  }
}

/** "2026-11-28", by UTC. */

/** A search's rows: as the planner finds them, among the nearest ones alone, or by the index of what is searched for. */
type Way = 'planned' | 'nearest' | 'by-terms';

/** Read in their order they take some milliseconds, and hold a page of whatever every two hundredth payment has. */
const NEAREST = 5_000;

/** A cursor's place in the order, wherever the row stands now; ids of nobody, and of another merchant, have none and match nothing. */
const placeOf = (id: string, whose: string) =>
  `(SELECT created_at, id FROM intent WHERE id = ${id} AND merchant_id = ${whose})`;

function conditions(filter: PaymentFilter, bind: (value: unknown) => string): string[] {
  const { statuses, inReview, createdFrom, createdTo, currency, asset, network } = filter;
  const { amountFromMinor, amountToMinor } = filter;
  const where: string[] = [];
  if (inReview) where.push('EXISTS (SELECT FROM review_entry r WHERE r.intent_id = i.id)');
  if (statuses !== null) where.push(`i.status = ANY (${bind(statuses)})`);
  if (createdFrom !== null) where.push(`i.created_at >= ${bind(createdFrom)}`);
  if (createdTo !== null) where.push(`i.created_at < ${bind(createdTo)}`);
  const hasAmount = amountFromMinor !== null || amountToMinor !== null;
  // Amounts are found by an index below their currency.
  if (currency !== null || hasAmount)
    where.push(`i.currency = ANY (${bind(currency === null ? CURRENCIES : [currency])})`);
  if (asset !== null) where.push(`q.asset = ${bind(asset)}`);
  if (network !== null) where.push(`q.network = ${bind(network)}`);
  if (amountFromMinor !== null) where.push(`i.amount_minor >= ${bind(String(amountFromMinor))}`);
  if (amountToMinor !== null) where.push(`i.amount_minor <= ${bind(String(amountToMinor))}`);
  return where;
}

/** Or what has all terms in its order key, or all in its title; nothing where no index could find them. */
function partly(search: string | null, bind: (value: unknown) => string): string {
  const terms = searchTerms(search ?? '');
  if (terms.indexed.length === 0) return '';
  const all = terms.all.map((term) => bind(term));
  const patterns = terms.indexed.map((part) => bind(`%${part.replace(/[\\%_]/g, '\\$&')}%`));
  const has = (column: string) =>
    [
      ...patterns.map((pattern) => `${column} ILIKE ${pattern}`),
      ...all.map((term) => `strpos(lower(${column}), lower(${term})) > 0`),
    ].join(' AND ');
  return ` OR ${has('i.idempotency_key')} OR ${has('i.title')}`;
}
