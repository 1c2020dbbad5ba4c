import type { Price } from '../../../../kernel/crypto-amount.js';
import { printableLine } from '../../../../kernel/text/printable.js';
import type { PairName } from '../pair.js';

/** What a source answered for a pair it was asked about. A pair that is not mentioned got no answer at all. */
export interface Answer {
  readonly pair: PairName;
  /** `null`: it answered, and has no usable price. */
  readonly price: Price | null;
  /** The source's own time of the price, where it gives one. */
  readonly atMs: number | null;
}

/** A source did not answer as it should. The reason is for the log: short, and without any address or body. */
export class SourceError extends Error {
  override readonly name = 'SourceError';

  constructor(
    readonly reason: string,
    readonly httpStatus: number | null = null,
  ) {
    super(reason);
  }
}

export type Json = Readonly<Record<string, unknown>>;

/** A JSON object, or the error that says that it is none. */
export function requireObject(value: unknown, what: string): Json {
  if (isJsonObject(value)) return value;
  throw new SourceError(`${what} is not an object`);
}

export function isJsonObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A name or a reason that a source gives. */
const MOST_CHARS = 80;

/** A stranger's text for our log: one short printable line. */
export function excerpt(value: unknown): string {
  return typeof value === 'string' ? printableLine(value, MOST_CHARS) : 'no reason';
}
