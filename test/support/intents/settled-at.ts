import type { DataSource } from 'typeorm';

/** As if it had gone its way so much earlier, or later: as the tables' owner. @param when SQL, also over its row */
export async function settledAt(dataSource: DataSource, id: string, when: string): Promise<void> {
  await dataSource.transaction(async (tx) => {
    // Before a row is: whoever has one would wait for the table, and this for the row.
    await tx.query('LOCK TABLE intent, transition');
    await tx.query('ALTER TABLE intent DISABLE TRIGGER intent_goes_on');
    await tx.query('ALTER TABLE transition DISABLE TRIGGER transition_is_append_only');
    await tx.query(
      `WITH moved AS (SELECT ${when} - settled_at AS by FROM intent WHERE id = $1),
            walked AS (UPDATE transition SET created_at = created_at + by FROM moved WHERE intent_id = $1)
       UPDATE intent SET settled_at = settled_at + by, confirmed_at = confirmed_at + by FROM moved WHERE id = $1`,
      [id],
    );
    await tx.query('ALTER TABLE intent ENABLE TRIGGER intent_goes_on');
    await tx.query('ALTER TABLE transition ENABLE TRIGGER transition_is_append_only');
  });
}
