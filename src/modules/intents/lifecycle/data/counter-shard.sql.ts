/**
 * The row of a merchant's count that this session writes. Transactions of one session never overlap, and the sessions of a pool,
 * opened one after the other, have different numbers: few of them wait for each other's commit.
 */
export const COUNTER_SHARD = '(pg_backend_pid() % 16)::smallint';
