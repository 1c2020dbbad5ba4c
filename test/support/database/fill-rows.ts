import type { DataSource } from 'typeorm';

/**
 * Writes as many rows as a test needs by one statement, however long that takes: it is none of the service's, whose
 * deadline a busy machine may not keep for a hundred thousand rows.
 */
export async function fillRows(
  dataSource: DataSource,
  sql: string,
  values: readonly unknown[],
): Promise<void> {
  await dataSource.transaction(async (tx) => {
    await tx.query('SET LOCAL statement_timeout = 0');
    await tx.query(sql, [...values]);
  });
}
