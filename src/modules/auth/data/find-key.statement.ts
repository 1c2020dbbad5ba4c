import type { DataSource } from 'typeorm';
import { run, statement } from '../../../database/statement.js';
import type { KeyOwner } from '../auth.types.js';
import type { KeyedRead, KeyRow } from '../keyed-read.types.js';
import { keyedSql } from './keyed-read.shared.sql.js';

const FIND_KEY = statement('auth-find-key', keyedSql());

const FIND_REVOKED = `
  SELECT id AS "keyId", merchant_id AS "merchantId" FROM api_key WHERE hash = $1 AND revoked_at IS NOT NULL`;

/** Locks in one order: two instances that flush the same keys would otherwise wait for each other. */
const WRITE_LAST_USED = `
  UPDATE api_key k SET last_used_at = greatest(k.last_used_at, u.at)
  FROM (SELECT l.id, used.at
        FROM unnest($1::text[], $2::timestamptz[]) AS used (id, at) JOIN api_key l ON l.id = used.id
        ORDER BY l.id FOR NO KEY UPDATE OF l) AS u
  WHERE k.id = u.id`;

/** By what is stored of it, with what the request reads beside it; `null` for what is unknown or revoked. */
export async function findKey(
  dataSource: DataSource,
  hash: Buffer,
  read: (Pick<KeyedRead, 'statement'> & { readonly values: readonly unknown[] }) | null,
): Promise<KeyRow | null> {
  const [row] = await run<KeyRow>(dataSource, read?.statement ?? FIND_KEY, [hash, ...(read?.values ?? [])]);
  return row ?? null;
}

/** For what is refused only: the statement above, which every request waits for, looks at keys that are good. */
export async function findRevokedKey(dataSource: DataSource, hash: Buffer): Promise<KeyOwner | null> {
  const [row] = await dataSource.query<KeyOwner[]>(FIND_REVOKED, [hash]);
  return row ?? null;
}

/** @param used ids of keys, each with an instant */
export async function writeLastUsed(
  dataSource: DataSource,
  used: readonly (readonly [string, Date])[],
): Promise<void> {
  await dataSource.query(WRITE_LAST_USED, [used.map(([id]) => id), used.map(([, at]) => at)]);
}
