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
