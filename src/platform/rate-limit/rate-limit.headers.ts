import type { Response } from 'express';
import { DomainError } from '../../kernel/domain-error.js';
import type { Hits } from './rate-windows.js';

/** `RateLimit` and `RateLimit-Policy` in the form of the IETF draft (structured fields). */
function rateLimitHeaders(policy: string, limit: number, { hits, resetS }: Hits): Record<string, string> {
  return {
    'RateLimit-Policy': `"${policy}";q=${limit};w=60`,
    RateLimit: `"${policy}";r=${Math.max(0, limit - hits)};t=${resetS}`,
  };
}

/** Says on the answer how the subject stands, and refuses once its minute is used up. */
export function enforceRateLimit(response: Response, policy: string, limit: number, hits: Hits): void {
  if (hits.hits > limit) throw rateLimitExceeded(policy, limit, hits);
  response.set(rateLimitHeaders(policy, limit, hits));
}

export function rateLimitExceeded(
  policy: string,
  limit: number,
  hits: Hits,
  detail = `More than ${limit} requests in this minute.`,
): DomainError {
  const headers = { ...rateLimitHeaders(policy, limit, hits), 'Retry-After': String(hits.resetS) };
  return new DomainError('throttled', 'rate-limit-exceeded', detail, { headers });
}
