import type { DataSource } from 'typeorm';

/** As if what has happened to a row had not: as the tables' owner, without the trigger that keeps it. */
export async function asIfNever(
  dataSource: DataSource,
  [table, trigger]: readonly [table: string, trigger: string],
  sql: string,
  values: unknown[],
): Promise<void> {
  await dataSource.transaction(async (tx) => {
    await tx.query(`ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`);
    await tx.query(sql, values);
    await tx.query(`ALTER TABLE ${table} ENABLE TRIGGER ${trigger}`);
  });
}
