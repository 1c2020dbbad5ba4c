import type { DataSource } from 'typeorm';

/** Written some time after what they are about: requests in bulk, an event's place by a job. */
const WRITTEN_LATER = ['api_request', 'event_log', 'event_log_pending'];

/** Columns that looking changes (a page, a job, a search of blocks), and the tries of a delivery that its endpoint refuses. */
const MOVING =
  '{last_used_at,last_seen_at,looked_at,searched_height,searched_hash,consecutive_failures,failures_since,refused_since,gone_since}';

/** The statement for each database: finding out which tables there are takes longer than reading them. */
const statements = new WeakMap<DataSource, Promise<string>>();

/**
 * All that is stored of one merchant, in every table that says whose its rows are or of which intent: a table that
 * somebody adds is in it without their doing. Left out is what changes meanwhile (`MOVING`).
 */
export async function tenantRows(
  dataSource: DataSource,
  merchantId: string,
): Promise<Record<string, string>> {
  const statement = statements.get(dataSource) ?? statementFor(dataSource);
  statements.set(dataSource, statement);
  const found = await dataSource.query<{ name: string; rows: string | null }[]>(await statement, [
    merchantId,
  ]);
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows ?? 'none']));
}

async function statementFor(dataSource: DataSource): Promise<string> {
  const tables = await dataSource.query<{ name: string; columns: string[] }[]>(
    `SELECT c.table_name AS name, array_agg(c.column_name::text) AS columns
     FROM information_schema.columns c JOIN information_schema.tables t
       ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
     WHERE c.table_schema = current_schema() AND c.column_name IN ('merchant_id', 'intent_id')
       AND c.table_name <> ALL ($1) GROUP BY 1 ORDER BY 1`,
    [WRITTEN_LATER],
  );
  const owned = [
    { name: 'merchant', where: 'id = $1' },
    ...tables.map(({ name, columns }) => ({
      name,
      where: columns.includes('merchant_id')
        ? 'merchant_id = $1'
        : 'intent_id IN (SELECT id FROM intent WHERE merchant_id = $1)',
    })),
  ];
  return owned
    .map(
      ({ name, where }) =>
        `SELECT '${name}' AS name, (SELECT jsonb_agg(r ORDER BY r::text)::text
           FROM (SELECT to_jsonb(t) - '${MOVING}'::text[] AS r FROM "${name}" t WHERE ${where}) AS of) AS rows`,
    )
    .join(' UNION ALL ');
}
