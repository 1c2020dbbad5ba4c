import type { DataSource } from 'typeorm';

/** Written some time after what they are about: requests in bulk, an event's place by a job. */
const WRITTEN_LATER = ['api_request', 'event_log', 'event_log_pending'];

/**
 * All that is stored of one merchant, in every table that says whose its rows are: a table that somebody adds is in it
 * without their doing. Left out is when a key was used last, which looking changes.
 */
export async function tenantRows(
  dataSource: DataSource,
  merchantId: string,
): Promise<Record<string, string>> {
  const tables = await dataSource.query<{ name: string }[]>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t
       ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
     WHERE c.table_schema = current_schema() AND c.column_name = 'merchant_id'
       AND c.table_name <> ALL ($1) ORDER BY 1`,
    [WRITTEN_LATER],
  );
  const owned = [
    { name: 'merchant', column: 'id' },
    ...tables.map(({ name }) => ({ name, column: 'merchant_id' })),
  ];
  const rows: Record<string, string> = {};
  for (const { name, column } of owned) {
    const [found] = await dataSource.query<[{ rows: string | null }]>(
      `SELECT jsonb_agg(r ORDER BY r::text)::text AS rows
       FROM (SELECT to_jsonb(t) - 'last_used_at' AS r FROM "${name}" t WHERE ${column} = $1) AS of`,
      [merchantId],
    );
    rows[name] = found.rows ?? 'none';
  }
  return rows;
}
