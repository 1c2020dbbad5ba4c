import pg, { type CustomTypesConfig } from 'pg';
import type { ValueTransformer } from 'typeorm';

/** `bigint` and `numeric` columns as JavaScript bigints: money never passes through a float. */
export const asBigInt: ValueTransformer = {
  to: (value: bigint | null | undefined) => value?.toString() ?? value,
  from: (value: string | null) => (value === null ? null : BigInt(value)),
};

/** `bigint` columns that count blocks or rows, far below 2^53. */
export const asNumber: ValueTransformer = {
  to: (value: number | null | undefined) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

type BigIntColumn<Row> = {
  [Key in keyof Row]-?: NonNullable<Row[Key]> extends bigint ? Key : never;
}[keyof Row];

/** A row as `pg` gives it to a statement: what is a bigint here comes as text. */
export type Stored<Row> = {
  readonly [Key in keyof Row]: NonNullable<Row[Key]> extends bigint
    ? string | Extract<Row[Key], null>
    : Row[Key];
};

/** Reads rows of statements that do not go through TypeORM. @param columns all that are a bigint: it does not compile without one */
export function rowReader<Row extends object>(
  columns: Readonly<Record<BigIntColumn<Row>, true>>,
): (row: Stored<Row>) => Row {
  return (stored) => {
    const row: Record<string, unknown> = { ...stored };
    for (const name of Object.keys(columns)) row[name] = asBigInt.from(row[name]);
    return row as Row;
  };
}

const { TIMESTAMPTZ } = pg.types.builtins;
/** The library's: of everything that PostgreSQL can say of a time. */
const readAny = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => unknown;

/** "2026-11-27 12:00:00+00", and as long with six digits of a fraction. */
const WHOLE = '2026-11-27 12:00:00+00'.length;
const LONGEST = WHOLE + '.123456'.length;

/**
 * A `timestamptz` as a connection in UTC writes it, read by where its digits stand: the library takes three expressions to it,
 * and a list has a hundred. What is written otherwise (before the year 100, after 9999, infinity, another zone) is the library's.
 */
export function momentOf(text: string): unknown {
  if (!isUsual(text)) return readAny(text);
  const [century, year, month] = [twoDigits(text, 0), twoDigits(text, 2), twoDigits(text, 5)];
  const [day, hour, minute, second] = [8, 11, 14, 17].map((at) => twoDigits(text, at));
  const ms = text.length === WHOLE ? 0 : 1000 * Number(text.slice(19, -3));
  return new Date(Date.UTC(100 * century + year, month - 1, day, hour, minute, second, ms));
}

function isUsual(text: string): boolean {
  const { length } = text;
  const isWhole = length === WHOLE || (length > WHOLE + 1 && length <= LONGEST && text[19] === '.');
  return isWhole && text[4] === '-' && text[10] === ' ' && text.endsWith('+00') && !text.startsWith('00');
}

function twoDigits(text: string, at: number): number {
  return 10 * (text.charCodeAt(at) - 48) + text.charCodeAt(at + 1) - 48;
}

const readerOf = (oid: number, format?: 'text' | 'binary') =>
  pg.types.getTypeParser(oid, format) as (text: string) => unknown;

/** How a connection reads its columns. */
export const TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === (TIMESTAMPTZ as number) && format !== 'binary' ? momentOf : readerOf(oid, format),
};
