import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';

/** A socket in the file system has no address, and loopback is this machine. */
const IS_READABLE_ON_THE_WAY = `
  SELECT NOT ssl AND client_addr IS NOT NULL AND NOT client_addr <<= '127.0.0.0/8' AND client_addr <> '::1' AS plain
  FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE pid = pg_backend_pid()`;

/** Says so when passwords' hashes and payments travel to PostgreSQL in the clear. It works all the same. */
export async function warnOfPlainConnection(dataSource: Pick<DataSource, 'query'>): Promise<void> {
  const [found] = await dataSource.query<{ plain: boolean }[]>(IS_READABLE_ON_THE_WAY);
  if (!found?.plain) return;
  new Logger('Database').warn(
    'the connection to PostgreSQL is not encrypted: add sslmode=verify-full to DATABASE_URL, or keep both on one private network',
  );
}
