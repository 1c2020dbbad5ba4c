export const EXAMPLE_TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A header's value that a pattern describes. */
export const headerText = (pattern: string) => ({ type: 'string' as const, pattern, maxLength: 512 });

/** Headers that any answer of the API may carry beside those of HTTP itself, described once. */
export const HEADERS = {
  'X-Trace-Id': {
    description: 'The same as `traceId` in a problem: quote it in support requests.',
    required: true,
    schema: headerText('^[0-9a-f]{32}$'),
    example: EXAMPLE_TRACE_ID,
  },
  'Cache-Control': {
    description: 'Always `no-store`.',
    required: true,
    schema: headerText('^no-store$'),
    example: 'no-store',
  },
  'RateLimit-Policy': {
    description: 'The limit of this key for this kind of request: `q` requests in `w` seconds.',
    schema: headerText('^"[a-z-]+";q=\\d+;w=\\d+$'),
    example: '"write";q=300;w=60',
  },
  RateLimit: {
    description: 'What is left of it: `r` requests for the next `t` seconds.',
    schema: headerText('^"[a-z-]+";r=\\d+;t=\\d+$'),
    example: '"write";r=299;t=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: headerText('^\\d+$'),
    example: '23',
  },
  'WWW-Authenticate': {
    description: 'The challenge of RFC 6750.',
    required: true,
    schema: headerText('^Bearer '),
    example: 'Bearer realm="api", error="invalid_token"',
  },
  Accept: {
    description: 'The type that is accepted, where the type was the reason.',
    schema: headerText('^application/json$'),
    example: 'application/json',
  },
} as const;

type HeaderName = keyof typeof HEADERS;

const ALWAYS = ['X-Trace-Id', 'Cache-Control', 'RateLimit-Policy', 'RateLimit'] as const;
const OF_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  415: ['Accept'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The headers of an answer with this status, with `more` that only this one has, and that its module describes. */
export function headersOf(status: number, ...more: readonly string[]): Record<string, { $ref: string }> {
  const names = [...ALWAYS, ...(OF_STATUS[status] ?? []), ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
