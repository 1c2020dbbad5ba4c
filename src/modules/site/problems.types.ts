import type { ProblemSlug } from '../../kernel/domain-error.js';
import type { ProblemType, ProblemTypes } from '../../platform/problems/problem-types.js';

/** Every problem that the service answers with. A slug here is a stable `code` and a page at /problems/<slug>. */
export const PROBLEM_TYPES = {
  'validation-error': {
    status: 400,
    title: 'The request is not valid',
    cause: 'One or more fields or parameters break a rule. All of them are listed in `errors`.',
    fix: 'Correct every entry of `errors`: `pointer` names the body field, `parameter` the query parameter.',
  },
  'malformed-json': {
    status: 400,
    title: 'The body is not a JSON object',
    cause: 'The body is empty, is not valid UTF-8 or JSON, nests too deeply, or is not an object.',
    fix: 'Send one JSON object in UTF-8, at most 16 levels deep.',
  },
  'bad-request': {
    status: 400,
    title: 'The request cannot be read',
    cause: 'The request line, a header or the encoding of the path is malformed.',
    fix: 'Check how your client builds its URL and headers.',
  },
  'invalid-api-key': {
    status: 401,
    title: 'No valid API key',
    cause: 'The key is missing, malformed, unknown or revoked, or two different keys were sent.',
    fix: 'Send the key as `Authorization: Bearer svc_live_…` or as `X-Api-Key`. A lost key cannot be recovered: create a new one.',
  },
  'merchant-not-approved': {
    status: 403,
    title: 'The merchant is not approved',
    cause: 'The account behind this key has not been approved yet, or is suspended.',
    fix: 'Ask the operator of this service. Your keys start to work the moment the account is approved.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'The key lacks a scope',
    cause: 'Each key carries Read, Write, or both; this one does not carry the scope that `detail` names.',
    fix: 'Use a key with that scope. Creating and cancelling intents takes Write, reading takes Read.',
  },
  'https-required': {
    status: 403,
    title: 'HTTPS is required',
    cause: 'The request came over plain HTTP, so the API key in it was readable on the way.',
    fix: 'Use https, and replace the key that you have just sent in the clear.',
  },
  'cross-origin-request': {
    status: 403,
    title: 'The form was sent from another site',
    cause: 'The form does not come from a page of this service, or its page is out of date.',
    fix: 'Open the page again and use its own buttons.',
  },
  'not-permitted': {
    status: 403,
    title: 'Your role does not allow this',
    cause: 'What a person may do in the dashboard follows from their role at the merchant.',
    fix: 'Ask an owner of the account to do it, or to change your role.',
  },
  'not-found': {
    status: 404,
    title: 'There is nothing here',
    cause: 'No resource lives at this address.',
    fix: 'Check the path. All endpoints are under /api/v1.',
  },
  'intent-not-found': {
    status: 404,
    title: 'No such payment intent',
    cause: 'No intent with this id exists, or it belongs to another merchant.',
    fix: 'Check the id and the key: an intent is visible only to the merchant that created it.',
  },
  'merchant-not-found': {
    status: 404,
    title: 'No such merchant',
    cause: 'The account behind this key has been closed.',
    fix: 'Ask the operator of this service.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    cause: 'The address exists, but not for this method. `Allow` lists those that work.',
    fix: 'Use one of the methods in `Allow`.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Only JSON is served',
    cause: 'The `Accept` header excludes application/json.',
    fix: 'Accept `application/json`, or send no `Accept` at all.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long',
    cause: 'Headers must arrive within 10 seconds and the whole request within 15.',
    fix: 'Try again, with the same idempotency key. If it persists, look at the connection.',
  },
  conflict: {
    status: 409,
    title: 'The state does not allow it',
    cause: 'What you asked for contradicts the present state of the resource.',
    fix: 'Read the resource again and decide anew. A payment can be cancelled until it is complete or has ended.',
  },
  'payload-too-large': {
    status: 413,
    title: 'The body is too large',
    cause: 'A body may have 64 KiB.',
    fix: 'Send less. An intent needs a few hundred bytes.',
  },
  'uri-too-long': {
    status: 414,
    title: 'The address is too long',
    cause: 'A request target may have 8 KiB.',
    fix: 'Shorten the query.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body is not JSON',
    cause:
      'The `Content-Type` is not application/json, or the content is compressed in a way that is not supported.',
    fix: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
  },
  'misdirected-request': {
    status: 421,
    title: 'Wrong address',
    cause: 'The `Host` of the request is neither the API nor the checkout of this service.',
    fix: 'Use the base URL or the checkout URL that the operator gave you.',
  },
  'rate-limit-exceeded': {
    status: 429,
    title: 'Too many requests',
    cause: 'The limit of this minute is used up. `RateLimit-Policy` states the limit.',
    fix: 'Wait for `Retry-After` seconds, then back off exponentially.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    cause: 'A request may have 100 headers, of 16 KiB together.',
    fix: 'Send fewer or shorter headers.',
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong on our side',
    cause: 'An error that we did not foresee. It has been logged.',
    fix: 'Try again with the same idempotency key. If it persists, quote the traceId to the operator.',
  },
  unavailable: {
    status: 503,
    title: 'Not available just now',
    cause:
      'The service is starting, stopping, or cannot reach its database, or the database has too much to do.',
    fix: 'Try again after `Retry-After` seconds with the same idempotency key.',
  },
} as const satisfies Record<ProblemSlug, ProblemType>;

/** For the platform, which answers with them. */
export const PROBLEMS: ProblemTypes = {
  types: PROBLEM_TYPES,
  ofKind: {
    unauthenticated: 'invalid-api-key',
    forbidden: 'insufficient-scope',
  },
};
