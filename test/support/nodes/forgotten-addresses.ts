import type { DataSource } from 'typeorm';

/** As on a replica that took over before the picks of these addresses had come to it. */
export async function forgetAddresses(dataSource: DataSource, addresses: readonly string[]): Promise<void> {
  const lost = [addresses.map((address) => address.toLowerCase())];
  await dataSource.query(
    'UPDATE intent SET quote_id = NULL WHERE quote_id IN (SELECT id FROM quote WHERE watched_address = ANY ($1))',
    lost,
  );
  await dataSource.query('DELETE FROM quote WHERE watched_address = ANY ($1)', lost);
  await dataSource.query('DELETE FROM address WHERE address = ANY ($1)', lost);
  await dataSource.query(
    `UPDATE extended_key k SET next_index =
       coalesce((SELECT max(derivation_index) + 1 FROM address WHERE extended_key_id = k.id), 0)`,
  );
}
