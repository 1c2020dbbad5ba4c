import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const EVERY = `interval '1 hour'`;
/** Rows of one statement: enough to get through a backlog, few enough to hold their locks for an instant. */
const BATCH = 1_000;

/**
 * What a module does not keep for ever. Conditions are SQL over the table's own columns, by its bare name.
 * docs/operations.md ("Retention") has the same as a table for operators: add a line there too.
 */
export interface Retained {
  /** Names it in the metrics; the table, unless one table has two rules. */
  readonly what: string;
  readonly table: string;
  /** Rows that may go. */
  readonly over: string;
  /**
   * For large tables whose `id` grows with time: which rows are old enough to be looked at. They are then read from
   * their oldest end, page by page, up to the first that is too young. Without it the table is searched for `over`,
   * which is right for a small table and for one with an index for just that.
   */
  readonly aged?: string;
  /** Assignments that make the row forget instead of removing it; `over` must not hold afterwards. */
  readonly erase?: string;
}

export interface Removed {
  readonly rows: number;
  /** Where the next page begins; `null` when that was the last. */
  readonly after: string | null;
}

const BEGIN = `
  INSERT INTO job_run AS j (name, started_at) VALUES ($1, clock_timestamp())
  ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at
  WHERE j.started_at <= excluded.started_at - ${EVERY}
  RETURNING name`;

/** Rows whose time is over, whatever their table. */
@Injectable()
export class RetainedRowsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns `false` where any instance has begun within the hour */
  async begin(job: string): Promise<boolean> {
    return (await this.dataSource.query<unknown[]>(BEGIN, [job])).length > 0;
  }

  /** In seconds since 1970; `null` for never. */
  async startedAtS(job: string): Promise<number | null> {
    const [row] = await this.dataSource.query<{ at: number }[]>(
      'SELECT extract(epoch FROM started_at)::float8 AS at FROM job_run WHERE name = $1',
      [job],
    );
    return row?.at ?? null;
  }

  /** Any of them, one batch. */
  async search(rule: Retained): Promise<Removed> {
    const { table, over } = rule;
    const [, rows] = await this.dataSource.query<[unknown[], number]>(
      `${change(rule)} WHERE ctid IN (
         SELECT ctid FROM ${table} WHERE ${over} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
    );
    return { rows, after: rows < BATCH ? null : '0' };
  }

  /** `over` stands in the change itself: a row that changes at this moment is judged as it is then. */
  async walk(rule: Retained, aged: string, after: string): Promise<Removed> {
    const { table, over } = rule;
    const from = rule.erase ? 'FROM' : 'USING';
    const [page] = await this.dataSource.query<[{ rows: number; last: string | null; more: boolean }]>(
      `WITH page AS (
         SELECT id AS page_id, ${aged} AS is_aged FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${BATCH}
       ),
       gone AS (
         ${change(rule)} ${from} page WHERE id = page_id AND is_aged AND (${over}) RETURNING page_id
       )
       SELECT (SELECT count(*) FROM gone)::integer AS rows, max(page_id)::text AS last,
              count(*) = ${BATCH} AND bool_and(is_aged) AS more
       FROM page`,
      [after],
    );
    return { rows: page.rows, after: page.more ? page.last : null };
  }
}

function change({ table, erase }: Retained): string {
  return erase ? `UPDATE ${table} SET ${erase}` : `DELETE FROM ${table}`;
}
