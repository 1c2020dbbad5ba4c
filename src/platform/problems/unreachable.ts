import { fieldsOf } from '../../kernel/error-fields.js';
/** Of Node's sockets, and of PostgreSQL while it stops, starts, or has no connection left. */
const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '08001',
  '08003',
  '08006',
  // The database was dropped or renamed, or is being restored under another name.
  '3D000',
  '53300',
  '57P01',
  '57P02',
  '57P03',
]);

/**
 * `pg` and its pool say these without a code, and TypeORM of a transaction whose connection has ended between two of its
 * statements: it gives the connection up, and then has none to commit with.
 */
const MESSAGES =
  /^(Connection terminated|Query runner already released|timeout exceeded when trying to connect|Client has encountered a connection|database .* is not currently accepting connections)/;

/** Whether an error says that the database cannot be reached just now: trying again later is of use. */
export function isUnreachable(error: unknown): boolean {
  const { code, message } = fieldsOf(error);
  return (
    (typeof code === 'string' && CODES.has(code)) || (typeof message === 'string' && MESSAGES.test(message))
  );
}

/**
 * What PostgreSQL gives up by itself when it has too much to do: a lock or a statement that takes too long, two
 * transactions that wait for each other. It has undone everything, and later the same may go through.
 */
const GIVEN_UP = new Set(['25P03', '40001', '40P01', '55P03', '57014']);

/** Whether the database gave a transaction up. It may be a load, or a mistake of ours: the log has to tell. */
export function isGivenUp(error: unknown): boolean {
  const { code } = fieldsOf(error);
  return typeof code === 'string' && GIVEN_UP.has(code);
}
