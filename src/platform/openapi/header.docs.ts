import { EXAMPLE_TRACE_ID } from '../problems/problem-example.js';

const text = (pattern: string) => ({ type: 'string' as const, pattern, maxLength: 512 });

/** Every header that an answer of the API may carry beside those of HTTP itself, described once. */
export const HEADERS = {
  'X-Trace-Id': {
    description: 'The same as `traceId` in a problem: quote it in support requests.',
    required: true,
    schema: text('^[0-9a-f]{32}$'),
    example: EXAMPLE_TRACE_ID,
  },
  'Cache-Control': {
    description: 'Always `no-store`.',
    required: true,
    schema: text('^no-store$'),
    example: 'no-store',
  },
  'RateLimit-Policy': {
    description: 'The limit of this key for this kind of request: `q` requests in `w` seconds.',
    schema: text('^"[a-z-]+";q=\\d+;w=\\d+$'),
    example: '"write";q=300;w=60',
  },
  RateLimit: {
    description: 'What is left of it: `r` requests for the next `t` seconds.',
    schema: text('^"[a-z-]+";r=\\d+;t=\\d+$'),
    example: '"write";r=299;t=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: text('^\\d+$'),
    example: '23',
  },
  'WWW-Authenticate': {
    description: 'The challenge of RFC 6750.',
    required: true,
    schema: text('^Bearer '),
    example: 'Bearer realm="api", error="invalid_token"',
  },
  Accept: {
    description: 'The type that is accepted, where the type was the reason.',
    schema: text('^application/json$'),
    example: 'application/json',
  },
  Location: {
    description: 'Path of the intent.',
    required: true,
    schema: text('^/api/v1/intents/pi_'),
    example: '/api/v1/intents/pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya',
  },
  'Idempotent-Replayed': {
    description: 'Always `true`: this intent was created by an earlier request with the same key.',
    required: true,
    schema: text('^true$'),
    example: 'true',
  },
  'Idempotency-Mismatch': {
    description:
      'Fields in which this request differs from the original, which counts. Absent when none does.',
    schema: text('^[a-zA-Z]+(, [a-zA-Z]+)*$'),
    example: 'amount, title',
  },
} as const;

export type HeaderName = keyof typeof HEADERS;

const ALWAYS = ['X-Trace-Id', 'Cache-Control', 'RateLimit-Policy', 'RateLimit'] as const;
const OF_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  415: ['Accept'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The headers of an answer with this status, with `more` that only this one has. */
export function headersOf(status: number, ...more: readonly HeaderName[]): Record<string, { $ref: string }> {
  const names = [...ALWAYS, ...(OF_STATUS[status] ?? []), ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
