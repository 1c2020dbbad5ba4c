import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Who asks is looking for trouble, and must not become one: a server that is slow to say how it does is not asked on. */
const TIMEOUT = '2s';
const LARGEST = 8;

export interface ServerStatus {
  /** "16.4 (Debian …)". */
  readonly version: string;
  readonly bytes: number;
  /** Of all clients of the server, not of this instance alone. */
  readonly connections: number;
  readonly maxConnections: number;
  /** The longest open transaction of this database that we are allowed to see; `null` when none is open. */
  readonly oldestTransactionS: number | null;
  /** Applied, in their order. */
  readonly migrations: readonly string[];
  /** Known to this version and not applied. */
  readonly missingMigrations: readonly string[];
}

export interface TableSize {
  readonly name: string;
  /** With its indexes. */
  readonly bytes: number;
  /** The planner's estimate; `null` before the first vacuum. */
  readonly rows: number | null;
}

const SERVER = `
  SELECT current_setting('server_version') AS version,
         pg_database_size(current_database())::float8 AS bytes,
         current_setting('max_connections')::int AS "maxConnections",
         count(*) FILTER (WHERE backend_type = 'client backend')::int AS connections,
         max(extract(epoch FROM clock_timestamp() - xact_start))
           FILTER (WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend')
           ::float8 AS "oldestTransactionS"
  FROM pg_stat_activity`;

/** Sizes by the pages that the catalogue counted last: asking the files would wait for every table's lock. */
const TABLES = `
  SELECT t.relname AS name, nullif(t.reltuples, -1)::float8 AS rows,
         (t.relpages + coalesce(sum(i.relpages), 0))::float8 * current_setting('block_size')::int AS bytes
  FROM pg_class t LEFT JOIN pg_index x ON x.indrelid = t.oid LEFT JOIN pg_class i ON i.oid = x.indexrelid
  WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace
  GROUP BY t.oid ORDER BY bytes DESC, name LIMIT ${LARGEST}`;

/** How PostgreSQL itself does. */
@Injectable()
export class DatabaseStatus {
  constructor(private readonly dataSource: DataSource) {}

  server(): Promise<ServerStatus> {
    return this.briefly(async (tx) => {
      const [row] = await tx.query<[Omit<ServerStatus, 'migrations' | 'missingMigrations'>]>(SERVER);
      const applied = await tx.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
      const migrations = applied.map(({ name }) => name);
      const known = this.dataSource.migrations.map(({ name }) => name ?? '');
      return { ...row, migrations, missingMigrations: known.filter((name) => !migrations.includes(name)) };
    });
  }

  /** The largest tables. */
  tables(): Promise<TableSize[]> {
    return this.briefly((tx) => tx.query<TableSize[]>(TABLES));
  }

  private briefly<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(async (tx) => {
      await tx.query(`SET LOCAL statement_timeout = '${TIMEOUT}'; SET LOCAL transaction_read_only = on`);
      return work(tx);
    });
  }
}
