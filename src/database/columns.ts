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
