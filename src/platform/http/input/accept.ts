import { partsOf } from './quoted-text.js';

/** From the most to the least specific: the first that a client names decides. */
const RANGES = ['application/json', 'application/problem+json', 'application/*', '*/*', '*'];

/**
 * Whether an `Accept` header leaves room for JSON. Parameters do not matter and only a weight of 0 excludes:
 * Express refuses `application/json; charset=utf-8`, and takes a JSON that is weighted 0 beside a wildcard.
 */
export function acceptsJson(accept: string): boolean {
  if (accept.trim() === '') return true;
  const weights = new Map<string, number>();
  for (const part of partsOf(accept, ',')) {
    const [range = '', ...parameters] = partsOf(part, ';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    weights.set(range, Number(weight));
  }
  const weight = RANGES.map((range) => weights.get(range)).find((found) => found !== undefined);
  return weight !== undefined && weight !== 0;
}
