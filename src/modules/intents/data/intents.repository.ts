import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NOW_ONCE } from '../../../database/clock.js';
import { anyOf, anyValue, type On, run, type Statement, statement } from '../../../database/statement.js';
import { isId } from '../../../kernel/ids.js';
import type { IntentStatus } from '../../../kernel/intent-status.js';
import { only } from '../../../kernel/lookups.js';
import { keyedSql } from '../../auth/data/keyed-read.shared.sql.js';
import type { KeyedRead } from '../../auth/keyed-read.types.js';
import type { Facts } from '../../chains/chains.types.js';
import { type FactsBeside, factsBeside, factsBesideSql } from '../../chains/data/facts.shared.sql.js';
import type { Intent, Quote } from '../domain/model.js';
import type { PayableQuote } from '../domain/present.js';
import type { Backlog } from '../payments.types.js';
import { INTENT_COLUMNS, type IntentRow, toIntent } from './intent-columns.sql.js';
import { QUOTE_COLUMNS, type QuoteRow, toQuote } from './quote-columns.sql.js';

/** An intent, the quote it shows, and whether its window has passed while nothing has completed it. */
export interface LiveIntent {
  readonly intent: Intent;
  readonly quote: (PayableQuote & Pick<Quote, 'address'>) | null;
  readonly lapsed: boolean;
  /** What the chains said at the same moment; `null` where that was not asked for, or is too much to be read beside. */
  readonly facts: Facts | null;
}

interface LiveRow extends IntentRow, Omit<NonNullable<LiveIntent['quote']>, 'asset' | 'amountAtoms'> {
  /** Null where there is no quote, as the other columns of the quote are. */
  readonly asset: string | null;
  readonly quotedAtoms: string;
  readonly lapsed: boolean;
}

/** What a route with `WITH_KEY` gets. */
export type KeyedIntentRow = (LiveRow & { readonly facts: FactsBeside }) | { readonly id: null };

const LIVE_COLUMNS = `${INTENT_COLUMNS}, q.network, q.asset, q.decimals, q.amount_atoms AS "quotedAtoms", q.family,
  q.address, q.watched_address AS "watchedAddress", q.tolerance_bps AS "toleranceBps"`;
const OPEN = `i.status IN ('initiated', 'pending', 'confirmed')`;
const LAPSED = `${OPEN} AND i.completed_at IS NULL AND i.expires_at < ${NOW_ONCE}`;

const LIVE = `SELECT ${LIVE_COLUMNS}, ${LAPSED} AS lapsed FROM intent i LEFT JOIN quote q ON q.id = i.quote_id`;

const FIND = statement('intents-find', `${LIVE} WHERE i.id = $1`);

/** The same of a key's merchant with what the chains say of it, in the round trip that finds the key. All null where there is none. */
const FIND_WITH_KEY = statement(
  'intents-find-with-key',
  keyedSql(
    `, ${LIVE_COLUMNS}, ${LAPSED} AS lapsed, CASE WHEN q.id IS NOT NULL THEN ${factsBesideSql('i.id')} END AS facts`,
    ' LEFT JOIN intent i ON i.id = $2 AND i.merchant_id = k.merchant_id LEFT JOIN quote q ON q.id = i.quote_id',
  ),
);

const FIND_MANY = statement('intents-find-many', `${LIVE} WHERE i.id = ${anyOf('$1')}`);

const EXISTS = statement('intents-exists', 'SELECT FROM intent WHERE id = $1');

/** Of the intent that the path of the request names. */
export const WITH_KEY: KeyedRead = {
  statement: FIND_WITH_KEY,
  // No text but an id's may reach a statement before the key is known: PostgreSQL refuses some, with another error.
  valuesOf: ({ params: { id = '' } }) => [typeof id === 'string' && isId('pi', id) ? id : ''],
};

/** The longest due first. */
const LAPSED_OF = `SELECT i.id FROM intent i WHERE i.merchant_id = $1 AND ${LAPSED} ORDER BY i.expires_at`;

/** Not `$2 IS NULL OR`, by which no plan for all values could begin in an index. */
const WITHIN = `i.created_at >= coalesce($2::timestamptz, '-infinity') AND i.created_at < coalesce($3::timestamptz, 'infinity')`;
const NEWEST_FIRST = 'ORDER BY i.created_at DESC, i.id DESC';

const PAGE = `${NEWEST_FIRST} LIMIT $4 OFFSET $5`;

const ALL = `SELECT i.* FROM intent i WHERE i.merchant_id = $1 AND ${WITHIN}`;
/**
 * The newest of each status through its index: for those of a rare one the others are not looked through. What is sorted of
 * a page that is far down are ids and times, which the index has.
 */
const OF_STATUSES = `
  SELECT i.* FROM (
    SELECT i.id FROM (SELECT DISTINCT unnest($6::text[])) AS wanted (status) CROSS JOIN LATERAL (
      SELECT i.id, i.created_at FROM intent i
      WHERE i.merchant_id = $1 AND i.status = wanted.status AND ${WITHIN}
      ${NEWEST_FIRST} LIMIT $4::bigint + $5::bigint
    ) AS i ${PAGE}
  ) AS chosen JOIN intent i ON i.id = chosen.id`;
/** The page of a plain list, or of one status, is mostly one of these. */
const FIRST = 100;
/**
 * A page of the newest `FIRST`. Of a limit that it does not know PostgreSQL expects a tenth of all rows, and for those another plan;
 * of one that it does know it plans anew for each.
 */
const firstOf = (condition: string) => `
  SELECT i.* FROM (
    SELECT i.* FROM intent i WHERE i.merchant_id = $1 ${condition} ${NEWEST_FIRST} LIMIT ${FIRST}
  ) AS i ${NEWEST_FIRST} LIMIT ${anyValue('$2', 'bigint')} OFFSET ${anyValue('$3', 'bigint')}`;
const OF_KEY = `${ALL} AND i.idempotency_key = $6 AND ($7::text[] IS NULL OR i.status = ANY ($7))`;

/**
 * A page and its total, of one snapshot: they cannot disagree. And whether any intent of the merchant has lapsed, in their order:
 * without a limit of its own EXISTS would forget that, and look through all that are open.
 */
const listOf = (page: string, total: string) => `
  WITH page AS (
    SELECT ${LIVE_COLUMNS}, ${LAPSED} AS lapsed FROM (${page}) AS i LEFT JOIN quote q ON q.id = i.quote_id
  )
  SELECT n.total, EXISTS (SELECT FROM (${LAPSED_OF} LIMIT 1) AS due) AS "anyLapsed", page.* FROM (${total}) AS n LEFT JOIN page ON true
  ORDER BY page."createdAt" DESC, page.id DESC`;

/** From the counters, so that a list costs the same at any size of the table. */
const COUNTED = 'SELECT coalesce(sum(intents), 0) AS total FROM intent_count WHERE merchant_id = $1';
/** Of statuses of which no figures are kept, between two times: the rows are counted, through the index. */
const COUNTED_WITHIN = `SELECT count(*) AS total FROM intent i WHERE i.merchant_id = $1 AND ${WITHIN}`;

/** The midnights of UTC that follow the first time, or are it, and that precede the second one, or are it. */
const FIRST_MIDNIGHT = `date_trunc('day', $2::timestamptz + interval '23:59:59.999999', 'UTC')`;
const LAST_MIDNIGHT = `date_trunc('day', $3::timestamptz, 'UTC')`;
/**
 * Between two times: what is kept of the days between, and the rows of what is left of the first and the last.
 * @param kept what the days have of it; `ofIt`: which rows these are
 */
const keptWithin = (kept: 'created' | 'created_settled', ofIt = '') => `
  SELECT (SELECT coalesce(sum(${kept}), 0) FROM intent_day d WHERE d.merchant_id = $1
             AND d.day >= coalesce((${FIRST_MIDNIGHT} AT TIME ZONE 'UTC')::date, '-infinity')
             AND d.day < coalesce((${LAST_MIDNIGHT} AT TIME ZONE 'UTC')::date, 'infinity'))
       + (SELECT count(*) FROM intent i WHERE i.merchant_id = $1 ${ofIt}
             AND i.created_at >= $2::timestamptz AND i.created_at < least(${FIRST_MIDNIGHT}, $3::timestamptz))
       + (SELECT count(*) FROM intent i WHERE i.merchant_id = $1 ${ofIt}
             AND i.created_at >= greatest(${LAST_MIDNIGHT}, ${FIRST_MIDNIGHT}) AND i.created_at < $3::timestamptz) AS total`;

const LIST_FIRST = statement('intents-list-first', listOf(firstOf(''), COUNTED));

const STATUS = `status = ${anyValue('$4', 'text')}`;
const LIST_FIRST_OF_STATUS = statement(
  'intents-list-first-of-status',
  listOf(firstOf(`AND i.${STATUS}`), `${COUNTED} AND ${STATUS}`),
);

const LIST = statement('intents-list', listOf(`${ALL} ${PAGE}`, COUNTED));

const LIST_OF_STATUSES = statement(
  'intents-list-of-statuses',
  listOf(OF_STATUSES, `${COUNTED} AND status = ANY ($6)`),
);

const LIST_WITHIN = statement('intents-list-within', listOf(`${ALL} ${PAGE}`, keptWithin('created')));

const LIST_OF_STATUSES_WITHIN = statement(
  'intents-list-of-statuses-within',
  listOf(OF_STATUSES, `${COUNTED_WITHIN} AND i.status = ANY ($6)`),
);

/** Of the one status of which the days say how many there are. */
const LIST_SETTLED_WITHIN = statement(
  'intents-list-settled-within',
  listOf(OF_STATUSES, keptWithin('created_settled', `AND i.status = 'settled'`)),
);

/** One row at most, by the unique index: whether the other filters let it through. */
const LIST_OF_KEY = statement(
  'intents-list-of-key',
  listOf(`${OF_KEY} ${PAGE}`, `SELECT count(*) AS total FROM (${OF_KEY}) AS i`),
);

const QUOTES = statement(
  'intents-quotes',
  `SELECT ${QUOTE_COLUMNS} FROM quote q WHERE q.intent_id = ${anyOf('$1')} ORDER BY q.created_at, q.id`,
);

const REVISIONS = statement(
  'intents-revisions',
  `SELECT i.id, concat_ws(' ', i.sequence, i.quote_id, i.completed_at, ${LAPSED}) AS revision
   FROM intent i WHERE i.id = ANY ($1)`,
);

const AFTER = `($2::timestamptz IS NULL OR (i.expires_at, i.id) > ($2, $3)) ORDER BY i.expires_at, i.id LIMIT $1`;

/** Open intents whose window passed without a completion: the sweeper's work. */
const LAPSED_OF_ALL = statement(
  'intents-lapsed-of-all',
  `SELECT i.id, i.expires_at AS "expiresAt" FROM intent i WHERE ${LAPSED} AND ${AFTER}`,
);

const LAPSED_OF_MERCHANT = statement(
  'intents-lapsed-of-merchant',
  `SELECT i.id, i.expires_at AS "expiresAt" FROM intent i WHERE i.merchant_id = $4 AND ${LAPSED} AND ${AFTER}`,
);

/** How much of it there is. */
const LAPSED_BACKLOG = statement(
  'intents-lapsed-backlog',
  `SELECT count(*)::int AS count,
          coalesce(extract(epoch FROM clock_timestamp() - min(i.expires_at)), 0)::float8 AS "oldestAgeS"
   FROM intent i WHERE ${LAPSED}`,
);

/**
 * Completed when their window ended and still not settled: they may have to fail. Of the open ones, because those stand in an
 * index by their time; by their statuses alone all of them would be read.
 */
const OVERDUE_OF_ALL = statement(
  'intents-overdue-of-all',
  `SELECT i.id, i.expires_at AS "expiresAt" FROM intent i
   WHERE ${OPEN} AND i.status <> 'initiated' AND i.expires_at < ${NOW_ONCE} AND ${AFTER}`,
);

/** The time is from when the lock was had, however long that took. */
const LOCK = statement(
  'intents-lock',
  `WITH locked AS (SELECT ${INTENT_COLUMNS} FROM intent i WHERE i.id = $1 FOR UPDATE)
   SELECT *, clock_timestamp() AS now FROM locked`,
);

/** An intent that nobody else can change, and the database's time from before anything else is read of it. */
export interface LockedIntent {
  readonly intent: Intent;
  readonly now: Date;
}

/** With all that decides about its money, decided up to then. */
export interface Locked extends LockedIntent {
  readonly quotes: readonly Quote[];
  readonly facts: Facts;
}

/** An intent at which something is due, and its place in the line. */
export interface DueIntent {
  readonly id: string;
  readonly expiresAt: Date;
}

export interface ListFilter {
  readonly merchantId: string;
  readonly statuses: readonly IntentStatus[] | null;
  readonly createdFrom: Date | null;
  readonly createdTo: Date | null;
  readonly idempotencyKey: string | null;
}

/** How the rows of intents and quotes are read. */
@Injectable()
export class IntentsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(id: string): Promise<LiveIntent | null> {
    const [row] = await run<LiveRow>(this.dataSource, FIND, [id]);
    return row ? toLive(row) : null;
  }

  async exists(id: string): Promise<boolean> {
    return (await run(this.dataSource, EXISTS, [id])).length > 0;
  }

  /** Newest first, ties broken by id. `anyLapsed`: something has to be decided before this agrees with single reads. */
  async list(
    filter: ListFilter,
    limit: number,
    offset: number,
  ): Promise<{ total: number; page: LiveIntent[]; anyLapsed: boolean }> {
    const [list, values] = listFor(filter, limit, offset);
    const rows = await run<LiveRow & { total: string; anyLapsed: boolean }>(this.dataSource, list, values);
    const page = rows.filter(({ id }) => id !== null).map((row) => toLive(row));
    // Both: the clock went on between the one and the other.
    const anyLapsed = rows.some((row) => row.anyLapsed) || page.some(({ lapsed }) => lapsed);
    return { total: Number(rows[0]?.total ?? 0), page, anyLapsed };
  }

  /** The longest due first; `after` is where the page before ended. */
  async lapsed(limit: number, after: DueIntent | null): Promise<DueIntent[]> {
    return run<DueIntent>(this.dataSource, LAPSED_OF_ALL, placeOf(limit, after));
  }

  /** The same of one merchant. */
  async lapsedOf(merchantId: string, limit: number, after: DueIntent | null): Promise<DueIntent[]> {
    return run<DueIntent>(this.dataSource, LAPSED_OF_MERCHANT, [...placeOf(limit, after), merchantId]);
  }

  async lapsedBacklog(): Promise<Backlog> {
    return only(await run<Backlog>(this.dataSource, LAPSED_BACKLOG, []));
  }

  async overdue(limit: number, after: DueIntent | null): Promise<DueIntent[]> {
    return run<DueIntent>(this.dataSource, OVERDUE_OF_ALL, placeOf(limit, after));
  }

  /** Locks the intent for the rest of the transaction: every change of it queues here. */
  async lock(tx: EntityManager, id: string): Promise<LockedIntent | null> {
    const [row] = await run<IntentRow & { now: Date }>(tx, LOCK, [id]);
    if (!row) return null;
    return { intent: toIntent(row), now: row.now };
  }

  /** All quotes of the intents, oldest first. */
  async quotesOf(intentIds: readonly string[], on: On = this.dataSource): Promise<Quote[]> {
    return (await run<QuoteRow>(on, QUOTES, [intentIds])).map(toQuote);
  }

  async findMany(ids: readonly string[]): Promise<LiveIntent[]> {
    return (await run<LiveRow>(this.dataSource, FIND_MANY, [ids])).map((row) => toLive(row));
  }

  /** What a page of each intent rests on, as short texts that change when it does: one query for all pages. */
  async revisions(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await run<{ id: string; revision: string }>(this.dataSource, REVISIONS, [ids]);
    return new Map(rows.map(({ id, revision }) => [id, revision]));
  }
}

/** Of a row of `WITH_KEY`. */
export function liveOf(row: KeyedIntentRow): LiveIntent | null {
  return row.id === null ? null : toLive(row, factsBeside(row.facts));
}

function toLive(row: LiveRow, facts: Facts | null = null): LiveIntent {
  return { intent: toIntent(row), quote: shownQuote(row), lapsed: row.lapsed, facts };
}

const placeOf = (limit: number, after: DueIntent | null) => [
  limit,
  after?.expiresAt ?? null,
  after?.id ?? null,
];

function shownQuote(row: LiveRow): LiveIntent['quote'] {
  if (row.asset === null) return null;
  return {
    network: row.network,
    asset: row.asset,
    decimals: row.decimals,
    amountAtoms: BigInt(row.quotedAtoms),
    family: row.family,
    address: row.address,
    watchedAddress: row.watchedAddress,
    toleranceBps: row.toleranceBps,
  };
}

/** By what is filtered and where the page is: the statement, and its values. */
function listFor(filter: ListFilter, limit: number, offset: number): [Statement, unknown[]] {
  const { merchantId, statuses, createdFrom, createdTo, idempotencyKey } = filter;
  const isWithin = createdFrom !== null || createdTo !== null;
  if (idempotencyKey === null && !isWithin && limit + offset <= FIRST) {
    const page = [merchantId, limit, offset];
    if (statuses === null) return [LIST_FIRST, page];
    if (statuses.length === 1) return [LIST_FIRST_OF_STATUS, [...page, ...statuses]];
  }
  const within = [merchantId, createdFrom, createdTo, limit, offset];
  if (idempotencyKey !== null) return [LIST_OF_KEY, [...within, idempotencyKey, statuses]];
  if (statuses === null) return [isWithin ? LIST_WITHIN : LIST, within];
  return [isWithin ? ofStatusesWithin(statuses) : LIST_OF_STATUSES, [...within, statuses]];
}

const ofStatusesWithin = (statuses: readonly IntentStatus[]) =>
  statuses.length > 0 && statuses.every((status) => status === 'settled')
    ? LIST_SETTLED_WITHIN
    : LIST_OF_STATUSES_WITHIN;
