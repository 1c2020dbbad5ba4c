import { randomInt } from 'node:crypto';

const SHARDS = 16;

/** Any shard will do: they exist so that two creations of one merchant seldom meet in the same row. */
export function counterShard(): number {
  return randomInt(SHARDS);
}
