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

/** `pg` and its pool say these without a code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection|database .* is not currently accepting connections)/;

/** Whether an error says that the database cannot be reached just now: trying again later is of use. */
export function isUnreachable(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (
    (typeof code === 'string' && CODES.has(code)) || (typeof message === 'string' && MESSAGES.test(message))
  );
}
