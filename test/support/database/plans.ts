/** A node of `EXPLAIN (ANALYZE, FORMAT JSON)`. */
export interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** How many rows of these tables, or entries of their indexes, a plan has looked at, whether or not it took them. */
export function rowsRead(plan: Plan, tables: readonly string[]): number {
  const { Plans: parts = [], 'Actual Loops': loops = 1, 'Relation Name': table = '' } = plan;
  const own = (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0);
  const below = parts.map((part) => rowsRead(part, tables)).reduce((sum, rows) => sum + rows, 0);
  // The entries of an index that become a bitmap are read too, and name no table.
  const isRead = tables.includes(table) || plan['Node Type'] === 'Bitmap Index Scan';
  return isRead ? own * loops + below : below;
}
