import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { ScheduledJob } from './scheduled-job.js';
import { Metrics } from './observability/metrics.js';

const JOB = 'retention';
const EVERY = `interval '1 hour'`;
/** How often an instance looks whether the hour is over; it costs one probe of a row. */
const LOOK_EVERY_MS = 60_000;
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

/** "Older than so many days", by the database's clock. @param days a whole number */
export function olderThan(column: string, days: number): string {
  return `${column} < clock_timestamp() - make_interval(days => ${days})`;
}

interface Removed {
  readonly rows: number;
  /** Where the next page begins; `null` when that was the last. */
  readonly after: string | null;
}

/** Removes what nobody needs any more: once an hour, on one instance, in small batches. */
@Injectable()
export class Retention implements OnModuleInit {
  private readonly logger = new Logger(Retention.name);
  private readonly rules: Retained[] = [];
  private readonly removed: Counter<'what'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
  ) {
    this.removed = new Counter({
      name: 'rappen_retention_removed_total',
      help: 'Rows that this instance removed, or made forget, because their time was over',
      labelNames: ['what'],
      registers: [metrics.registry],
    });
  }

  onModuleInit(): void {
    const { dataSource } = this;
    new Gauge({
      name: 'rappen_retention_last_run_timestamp_seconds',
      help: 'When the last run of any instance began; more than two hours ago means that nothing is removed any more',
      registers: [this.metrics.registry],
      async collect() {
        const [row] = await dataSource.query<{ at: string }[]>(
          'SELECT extract(epoch FROM started_at) AS at FROM job_run WHERE name = $1',
          [JOB],
        );
        if (row) this.set(Number(row.at));
      },
    });
  }

  /** Call from `onModuleInit`. */
  keep(...rules: readonly Retained[]): void {
    for (const rule of rules) {
      this.rules.push(rule);
      this.removed.inc({ what: rule.what }, 0);
    }
  }

  /** Nothing, unless an hour has passed since any instance last began. */
  @ScheduledJob(JOB, LOOK_EVERY_MS)
  async runIfDue(signal?: AbortSignal): Promise<void> {
    const claimed = await this.dataSource.query<unknown[]>(
      `INSERT INTO job_run AS j (name, started_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at
       WHERE j.started_at <= excluded.started_at - ${EVERY}
       RETURNING name`,
      [JOB],
    );
    if (claimed.length > 0) await this.run(signal);
  }

  /**
   * Applies every rule now. One that fails does not stop the others, and is tried again by the next run.
   * @returns rows per rule
   */
  async run(signal?: AbortSignal): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (const rule of this.rules) {
      try {
        counts[rule.what] = await this.apply(rule, signal);
      } catch (error) {
        this.logger.error({ what: rule.what, err: error }, 'retention failed');
      }
    }
    return counts;
  }

  private async apply(rule: Retained, signal?: AbortSignal): Promise<number> {
    let rows = 0;
    for (let after: string | null = '0'; after !== null && !signal?.aborted;) {
      const page: Removed = await (rule.aged ? this.walk(rule, rule.aged, after) : this.search(rule));
      this.removed.inc({ what: rule.what }, page.rows);
      rows += page.rows;
      after = page.after;
    }
    return rows;
  }

  private async search(rule: Retained): Promise<Removed> {
    const { table, over } = rule;
    const [, rows] = await this.dataSource.query<[unknown[], number]>(
      `${change(rule)} WHERE ctid IN (
         SELECT ctid FROM ${table} WHERE ${over} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
    );
    return { rows, after: rows < BATCH ? null : '0' };
  }

  /** `over` stands in the change itself: a row that changes at this moment is judged as it is then. */
  private async walk(rule: Retained, aged: string, after: string): Promise<Removed> {
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
