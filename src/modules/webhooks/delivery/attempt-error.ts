import { UnreachableNameError } from './resolve.js';

/** Why an exchange did not complete, as it is stored and shown: a fixed set, no text that a receiver chose. */
export type AttemptError =
  | 'timeout'
  | 'name-not-resolved'
  | 'connect-failed'
  | 'tls-failed'
  | 'connection-lost'
  | 'invalid-answer'
  | 'url-refused'
  | 'not-signed';

const LOST = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_ABORTED', 'UND_ERR_DESTROYED']);
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'EACCES',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const INVALID = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_|UND_ERR_INFO)/;
const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;

/** Sorts what undici, the sockets and the resolver throw. */
export function attemptErrorOf(cause: unknown): AttemptError {
  if (cause instanceof UnreachableNameError) return 'name-not-resolved';
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  if (UNREACHABLE.has(code)) return 'connect-failed';
  if (TLS.test(code)) return 'tls-failed';
  if (INVALID.test(code)) return 'invalid-answer';
  return LOST.has(code) ? 'connection-lost' : 'invalid-answer';
}
