import type { Config } from '../../../config/config.types.js';
import type { Documented } from '../site.types.js';

/** What the contract cannot say: schedules, limits and codes as they are in force here. */
export interface Guide {
  readonly retries: readonly { readonly attempt: number; readonly wait: string; readonly since: string }[];
  readonly limits: readonly { readonly what: string; readonly value: string }[];
  readonly codes: readonly { readonly code: string; readonly meaning: string }[];
}

const HOUR_MS = 3_600_000;

export function guideOf(
  { rateLimits }: Pick<Config, 'rateLimits'>,
  { retryWaitsMs, fieldCodes }: Documented,
): Guide {
  let sinceMs = 0;
  const retries = retryWaitsMs.map((waitMs, i) => {
    sinceMs += waitMs;
    return { attempt: i + 1, wait: i === 0 ? 'at once' : periodText(waitMs), since: periodText(sinceMs) };
  });
  const perMinute = (count: number) => `${count.toLocaleString('en-US')} a minute`;
  return {
    retries,
    limits: [
      { what: 'Reads, for each key', value: perMinute(rateLimits.readsPerMinute) },
      { what: 'Writes, for each key', value: perMinute(rateLimits.writesPerMinute) },
      { what: 'Wrong keys, for each address', value: perMinute(rateLimits.failedAuthPerMinute) },
      { what: 'amount', value: '0.01 to 999,999.99, at most 2 decimals' },
      { what: 'title', value: '1 to 200 characters' },
      { what: 'idempotencyKey', value: '1 to 255 characters' },
      { what: 'returnUrl', value: 'at most 500 characters' },
      { what: 'pageSize', value: '1 to 100' },
    ],
    codes: Object.entries(fieldCodes).map(([code, meaning]) => ({ code, meaning })),
  };
}

function periodText(ms: number): string {
  if (ms < 60_000) return `${ms / 1_000} s`;
  return ms < HOUR_MS ? `${Math.round(ms / 60_000)} min` : `${Math.round((ms / HOUR_MS) * 10) / 10} h`;
}
