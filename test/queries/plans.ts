import { statSync, truncateSync } from 'node:fs';
import type { ClientBase, Pool } from 'pg';
import { EXAMPLES } from './examples.js';
import { LARGE_TABLES } from './fill.js';
import type { NamedStatement } from './statements.js';

/** After five plans for the values at hand PostgreSQL asks whether one for all values costs no more, and stays with it. */
const UNTIL_DECIDED = 6;
/** Of an index, its head and its root: so few do not become more in proportion. */
const FIRST_PAGES = 2 * 8192;
const INSTANT = /'\d{4}-\d{2}-\d{2} [^']+'::timestamp with time zone/g;
/** A condition, a key or an output: what a node of a plan does, not which it is. */
const DETAIL = /^\s+[A-Z][A-Za-z -]*: /;

/**
 * How PostgreSQL executes each statement on this database, by name.
 * @param timesLarger what the planner is told of large tables: that they have so many times the rows that they have
 */
export async function plansOn(
  pool: Pool,
  statements: readonly NamedStatement[],
  timesLarger = 1,
): Promise<Map<string, string>> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // Whether several processes share a scan depends on the file's size, and does not change what is read.
    await client.query('SET LOCAL max_parallel_workers_per_gather = 0');
    if (timesLarger !== 1) await enlarge(client, timesLarger);
    const plans = new Map<string, string>();
    for (const statement of statements) plans.set(statement.name, await planOf(client, statement));
    return plans;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/**
 * The planner takes the number of pages from the size of a file, so that holes of the file are as good as pages. What is
 * in them is never read: nothing here is executed.
 */
async function enlarge(client: ClientBase, times: number): Promise<void> {
  const { rows } = await client.query<{ path: string }>(
    `UPDATE pg_class c
     SET reltuples = c.reltuples * $1, relpages = CASE WHEN c.relpages > 2 THEN c.relpages * $1 ELSE c.relpages END,
          relallvisible = c.relallvisible * $1
     FROM pg_index i
     WHERE i.indrelid = ANY ($2::regclass[]) AND c.oid IN (i.indrelid, i.indexrelid)
     RETURNING current_setting('data_directory') || '/' || pg_relation_filepath(c.oid) AS path`,
    [times, LARGE_TABLES],
  );
  for (const { path } of rows) {
    const { size } = statSync(path);
    if (size > FIRST_PAGES) truncateSync(path, size * times);
  }
}

async function planOf(client: ClientBase, { name, text }: NamedStatement): Promise<string> {
  const values = EXAMPLES[name];
  if (values === undefined) return explain(client, `EXPLAIN (COSTS OFF, GENERIC_PLAN) ${text}`);
  await client.query(`PREPARE planned AS ${text}`);
  let plan = '';
  for (let i = 0; i < UNTIL_DECIDED; i += 1)
    plan = await explain(client, `EXPLAIN (COSTS OFF) EXECUTE planned (${values})`);
  await client.query('DEALLOCATE planned');
  return plan;
}

async function explain(client: ClientBase, query: string): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(query);
  return rows.map((row) => row['QUERY PLAN'].replaceAll(INSTANT, 'an instant')).join('\n');
}

/** Which nodes a plan has, with their tables and indexes, without the conditions. */
export function shapeOf(plan: string): string {
  return plan
    .split('\n')
    .filter((line) => !DETAIL.test(line))
    .join('\n');
}

/** The indexes that a plan uses, and the tables that it reads as a whole, each once. */
export function accessesOf(plan: string): string[] {
  const indexes = [...plan.matchAll(/(?: using|Bitmap Index Scan on) (\S+)/g)].map(([, index = '']) => index);
  const tables = [...plan.matchAll(/Seq Scan on (\S+)/g)].map(([, table = '']) => `all of ${table}`);
  return [...new Set([...indexes, ...tables])].sort();
}
