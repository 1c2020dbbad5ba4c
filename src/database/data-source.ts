import pg from 'pg';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { TYPES } from './columns.js';
import { LiveClient } from './live-client.js';
import { MIGRATIONS } from './migrations.js';
import { JobsFirstPool } from './pool.js';

/** A statement that takes longer than this is a bug or an overload; waiting for it would only spread it. */
const STATEMENT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** An idle connection whose other end is gone is noticed before somebody needs it. */
const KEEP_ALIVE_AFTER_MS = 10_000;
/**
 * None: a connection is kept with its prepared statements, which the first page after a quiet spell would prepare anew. A server
 * that goes ends its connections, and the pool lets go of them; that one went without a word is found by the keep-alive above
 * while they are idle, and by `LiveClient` as soon as somebody waits. The clock finds nothing more, at a timer for each statement.
 */
const IDLE_TIMEOUT_MS = 0;

/**
 * How every process connects: the application, the command line, the migrations.
 * @param isForRequest whether what asks for a connection works for a request: whatever does not, goes first
 */
export function dataSourceOptions(
  url: string,
  poolSize: number,
  isForRequest = () => false,
): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    driver: { ...pg, Pool: JobsFirstPool },
    url,
    synchronize: false,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      options: '-c timezone=UTC',
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      Client: LiveClient,
      types: TYPES,
      isForRequest,
      // What is asked in a pipeline goes out without waiting for the answers before.
      pipeline: true,
    },
  };
}
