import type { Pool, PoolClient } from 'pg';

/** 10 characters of time and 20 of chance, in the alphabet of ids. */
const ID = (prefix: string, at: string) =>
  `'${prefix}_' || lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint / 16), 10, '0')
   || substr(md5(random()::text), 1, 20)`;

/**
 * Intents of the last 90 days, every fifth of them settled with all that belongs to it, one in ten cancelled, the rest
 * expired; made by a few statements with foreign keys and triggers off, in the order in which they would have come.
 * Bodies of events are empty objects. What is written holds all invariants (`cli check`).
 * @param title SQL over the payment's number `n`
 */
export async function fillIntents(
  pool: Pool,
  merchantId: string,
  count: number,
  network = 'ethereum',
  title = `'Order ' || n`,
): Promise<void> {
  const filled = FILL.map((text) => text.replaceAll(':network', `'${network}'`).replaceAll(':title', title));
  await inOneTransaction(pool, filled, merchantId, count);
}

async function inOneTransaction(
  pool: Pool,
  statements: readonly string[],
  merchantId: string,
  count: number,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL session_replication_role = replica`);
    await client.query(`SET LOCAL statement_timeout = 0`);
    const isObserved = await hasColumn(client, 'transfer', 'observed_at');
    const hasDays = await hasColumn(client, 'intent_day', 'day');
    for (const statement of statements) {
      if (statement === DAYS && !hasDays) continue;
      await client.query(
        statement
          .replaceAll(':merchant', `'${merchantId}'`)
          .replaceAll(':count', String(count))
          .replaceAll(':observed-at', isObserved ? ', at' : '')
          .replaceAll(':observed', isObserved ? ', observed_at' : ''),
      );
    }
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release();
  }
}

/** Builds the tables' indexes anew once `fill` is done, which for millions of rows takes a fraction of the time. */
export async function withoutIndexes(
  pool: Pool,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = ANY ($1::regclass[]) AND NOT indisunique`,
    [tables],
  );
  await pool.query(rows.map(({ name }) => `DROP INDEX ${name}`).join(';'));
  await withFewCheckpoints(pool, fill);
  const client = await pool.connect();
  try {
    await client.query(`SET maintenance_work_mem = '1GB'`);
    for (const { definition } of rows) await client.query(definition);
  } finally {
    client.release(true);
  }
}

/** A page is written whole to the log at its first change after each checkpoint; what is measured has the default again. */
async function withFewCheckpoints(pool: Pool, fill: () => Promise<void>): Promise<void> {
  await pool.query(`ALTER SYSTEM SET max_wal_size = '8GB'`);
  await pool.query('SELECT pg_reload_conf()');
  await fill();
  await pool.query('ALTER SYSTEM RESET max_wal_size');
  await pool.query('SELECT pg_reload_conf()');
  await pool.query('CHECKPOINT');
}

/** Beside another checkout (`BENCH_BESIDE`) its tables are filled too, and an older one's have fewer columns. */
async function hasColumn(client: PoolClient, table: string, column: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM information_schema.columns WHERE table_name = $1 AND column_name = $2',
    [table, column],
  );
  return rowCount === 1;
}

const DAYS = `
  INSERT INTO intent_day AS d (merchant_id, day, currency, shard, created, created_settled, settled, settled_minor)
  SELECT :merchant, (day AT TIME ZONE 'UTC')::date, 'CHF', n % 64, sum(created), sum(created_settled), sum(settled), sum(settled) * 1000
  FROM (SELECT n, at AS day, 1 AS created, (status = 'settled')::int AS created_settled, 0 AS settled FROM made
        UNION ALL SELECT n, at + interval '4 minutes', 0, 0, 1 FROM made WHERE status = 'settled') AS happened
  GROUP BY 2, 4
  ON CONFLICT (merchant_id, day, currency, shard) DO UPDATE
    SET created = d.created + EXCLUDED.created, created_settled = d.created_settled + EXCLUDED.created_settled,
        settled = d.settled + EXCLUDED.settled, settled_minor = d.settled_minor + EXCLUDED.settled_minor`;

const FILL = [
  `CREATE TEMP TABLE made ON COMMIT DROP AS
   SELECT n, ${ID('pi', 'at')} AS id, ${ID('quo', 'at')} AS quote_id, at,
          CASE WHEN n % 5 = 0 THEN 'settled' WHEN n % 10 = 1 THEN 'cancelled' ELSE 'expired' END AS status,
          '0x' || substr(md5(:merchant || n) || md5('x' || n), 1, 40) AS address
   FROM generate_series(1, :count) AS n,
        LATERAL (SELECT now() - interval '20 minutes' - (:count - n) * (interval '90 days' / :count) AS at) AS t`,
  `CREATE TEMP TABLE walked ON COMMIT DROP AS
   SELECT made.id AS intent_id, step.sequence, from_status, to_status, at + step.sequence * interval '1 minute' AS at,
          ${ID('evt', 'at')} AS event_id
   FROM made JOIN (VALUES ('settled', 1, '', 'initiated'), ('settled', 2, 'initiated', 'pending'),
     ('settled', 3, 'pending', 'confirmed'), ('settled', 4, 'confirmed', 'settled'),
     ('expired', 1, '', 'initiated'), ('expired', 2, 'initiated', 'expired'),
     ('cancelled', 1, '', 'initiated'), ('cancelled', 2, 'initiated', 'cancelled')
   ) AS step (status, sequence, from_status, to_status) USING (status)
   ORDER BY n, step.sequence`,
  `INSERT INTO address (family, address, extended_key_id, derivation_index, subject, created_at)
   SELECT 'evm', address, k.id, n, made.id, at FROM made, extended_key k
   WHERE status = 'settled' AND k.merchant_id = :merchant`,
  `UPDATE extended_key SET next_index = :count + 1 WHERE merchant_id = :merchant`,
  `INSERT INTO quote (id, intent_id, network, asset, decimals, amount_atoms, family, address, watched_address, price,
     rate_sources, rate_at, spread_bps, tolerance_bps, confirmation_depth, settlement_depth, created_at)
   SELECT quote_id, id, :network, 'USDC', 6, 12500000, 'evm', address, address, '0.8', '[]', at, 0, 0, '1', '3', at
   FROM made WHERE status = 'settled'`,
  `INSERT INTO intent (id, merchant_id, status, amount_minor, currency, title, idempotency_key, quote_id, sequence,
     created_at, expires_at, completed_at, confirmed_at, settled_at)
   SELECT id, :merchant, status, 1000, 'CHF', :title, 'order-' || n,
          CASE WHEN status = 'settled' THEN quote_id END, CASE WHEN status = 'settled' THEN 4 ELSE 2 END,
          at, at + interval '15 minutes', CASE WHEN status = 'settled' THEN at + interval '2 minutes' END,
          CASE WHEN status = 'settled' THEN at + interval '3 minutes' END,
          CASE WHEN status = 'settled' THEN at + interval '4 minutes' END
   FROM made ORDER BY n`,
  `INSERT INTO event (id, merchant_id, type, subject, sequence, body, created_at)
   SELECT event_id, :merchant, 'payment.status', intent_id, sequence, '{}', at FROM walked`,
  `INSERT INTO transition (intent_id, sequence, from_status, to_status, cause, event_id, created_at)
   SELECT intent_id, sequence, from_status, to_status, 'bench', event_id, at FROM walked`,
  `INSERT INTO transfer (id, network, txid, output, asset, family, address, subject, amount_atoms, state, block_height,
     block_hash, block_time, first_seen_at, final:observed)
   SELECT 'tr' || substr(id, 3), :network, '0x' || md5(id), 'log:0', 'USDC', 'evm', address, id, 12500000, 'included', n,
          '0x' || md5(n::text), at, at, true:observed-at
   FROM made WHERE status = 'settled'`,
  `INSERT INTO settlement (intent_id, quote_id, network, asset, received_atoms, excess_atoms, price, rate_sources,
     fiat_minor, transfers, created_at)
   SELECT id, quote_id, :network, 'USDC', 12500000, 0, '0.8', '[]', 1000,
          jsonb_build_array(jsonb_build_object('id', 'tr' || substr(id, 3), 'txid', '0x' || md5(id), 'output', 'log:0',
            'amountAtoms', '12500000', 'blockHeight', n, 'blockHash', '0x' || md5(n::text))),
          at + interval '4 minutes'
   FROM made WHERE status = 'settled'`,
  `INSERT INTO intent_count (merchant_id, status, shard, intents)
   SELECT :merchant, status, n % 16, count(*) FROM made GROUP BY status, n % 16`,
  DAYS,
];

const QUEUE = [
  `CREATE TEMP TABLE late ON COMMIT DROP AS
   SELECT row_number() OVER () + (SELECT max(derivation_index) FROM address) AS n, id, expires_at + interval '1 minute' AS at, ${ID('quo', 'created_at')} AS quote_id,
          '0x' || substr(md5('late' || id) || md5(id), 1, 40) AS address, ${ID('tr', 'created_at')} AS transfer_id
   FROM intent WHERE merchant_id = :merchant AND status = 'expired' ORDER BY created_at DESC LIMIT :count`,
  `INSERT INTO address (family, address, extended_key_id, derivation_index, subject, created_at)
   SELECT 'evm', address, k.id, n, late.id, at FROM late, extended_key k WHERE k.merchant_id = :merchant`,
  `UPDATE extended_key SET next_index = (SELECT max(derivation_index) + 1 FROM address) WHERE merchant_id = :merchant`,
  `INSERT INTO quote (id, intent_id, network, asset, decimals, amount_atoms, family, address, watched_address, price,
     rate_sources, rate_at, spread_bps, tolerance_bps, confirmation_depth, settlement_depth, created_at)
   SELECT quote_id, id, 'ethereum', 'USDC', 6, 12500000, 'evm', address, address, '0.8', '[]', at, 0, 0, '1', '3', at
   FROM late`,
  `UPDATE intent SET quote_id = late.quote_id FROM late WHERE late.id = intent.id`,
  `INSERT INTO transfer (id, network, txid, output, asset, family, address, subject, amount_atoms, state, block_height,
     block_hash, block_time, first_seen_at, final:observed)
   SELECT transfer_id, 'ethereum', '0x' || md5('late' || id), 'log:0', 'USDC', 'evm', address, id, 12500000, 'included', n,
          '0x' || md5(n::text), at, at, :final:observed-at
   FROM late`,
  `INSERT INTO review_entry (intent_id, merchant_id, reason, transfers, opened_at)
   SELECT id, :merchant, 'late', ARRAY[transfer_id], at FROM late`,
];

/**
 * The newest expired intents of `fillIntents`, paid a minute too late and waiting for a decision.
 * @param isFinal where the service has a chain, on which it would look for what is not final yet; then nothing announces it
 */
export async function fillQueue(
  pool: Pool,
  merchantId: string,
  count: number,
  isFinal = false,
): Promise<void> {
  const queue = QUEUE.map((text) => text.replaceAll(':final', String(isFinal)));
  await inOneTransaction(pool, queue, merchantId, count);
}

/** All events of `fillIntents` as they were delivered to one endpoint, each hundredth at the second try. */
export async function fillDelivered(pool: Pool, endpointId: string): Promise<void> {
  await pool.query(
    `WITH sent AS (
       INSERT INTO delivery (event_id, endpoint_id, state, attempts, created_at, delivered_at)
       SELECT e.id, w.id, 'delivered', 1, e.created_at, e.created_at + interval '1 second'
       FROM event e JOIN webhook_endpoint w ON w.merchant_id = e.merchant_id WHERE w.id = $1 ORDER BY e.created_at
       RETURNING id, created_at
     )
     INSERT INTO delivery_attempt (delivery_id, number, started_at, duration_ms, http_status)
     SELECT id, try, created_at + try * interval '1 second', 40, CASE WHEN try = 0 THEN 503 ELSE 204 END
     FROM sent, generate_series(CASE WHEN id % 100 = 0 THEN 0 ELSE 1 END, 1) AS try`,
    [endpointId],
  );
  await pool.query('VACUUM ANALYZE');
}

/** The events of `fillIntents` in the order of their commit. */
export async function fillEventLog(pool: Pool): Promise<void> {
  await pool.query(
    `INSERT INTO event_log (merchant_id, position, event_id)
     SELECT merchant_id, row_number() OVER (PARTITION BY merchant_id ORDER BY created_at, id), id FROM event`,
  );
}

/**
 * The same events again as deliveries that are due, for every endpoint of their merchants, as if nothing had been sent.
 * @returns how many
 */
export async function refillBacklog(pool: Pool): Promise<number> {
  await pool.query('TRUNCATE delivery_attempt, delivery');
  const { rowCount } = await pool.query(
    `INSERT INTO delivery (event_id, endpoint_id)
     SELECT e.id, w.id FROM event e JOIN webhook_endpoint w ON w.merchant_id = e.merchant_id ORDER BY e.id, w.id`,
  );
  await pool.query('VACUUM ANALYZE');
  await pool.query('CHECKPOINT');
  return rowCount ?? 0;
}

/** What an intent of `fillOpen` asks for: 12.50 USDC. */
export const ATOMS_OF_OPEN = 12_500_000n;

/** Intents whose buyers have picked USDC on Ethereum and have a quarter of an hour to pay. */
export async function fillOpen(
  pool: Pool,
  merchantId: string,
  count: number,
): Promise<{ id: string; address: string }[]> {
  const { rows } = await pool.query<{ id: string; address: string }>(
    `WITH made AS MATERIALIZED (
       SELECT n, ${ID('pi', 'now()')} AS id, ${ID('quo', 'now()')} AS quote_id, ${ID('evt', 'now()')} AS event_id,
              '0x' || substr(md5('a' || n) || md5('b' || n), 1, 40) AS address
       FROM (SELECT coalesce(max(derivation_index), 0) AS last FROM address) AS issued,
            LATERAL generate_series(last + 1, last + $2::int) AS n
     ), opened AS (
       INSERT INTO intent (id, merchant_id, status, amount_minor, currency, quote_id, created_at, expires_at)
       SELECT id, $1, 'initiated', 1000, 'CHF', quote_id, now(), now() + interval '15 minutes' FROM made
     ), quoted AS (
       INSERT INTO quote (id, intent_id, network, asset, decimals, amount_atoms, family, address, watched_address, price,
         rate_sources, rate_at, spread_bps, tolerance_bps, confirmation_depth, settlement_depth)
       SELECT quote_id, id, 'ethereum', 'USDC', 6, ${ATOMS_OF_OPEN}, 'evm', address, address, '0.8', '[]', now(), 0, 0, '1', '3' FROM made
     ), issued AS (
       INSERT INTO address (family, address, extended_key_id, derivation_index, subject)
       SELECT 'evm', address, k.id, n, made.id FROM made, extended_key k WHERE k.merchant_id = $1
     ), happened AS (
       INSERT INTO event (id, merchant_id, type, subject, sequence, body)
       SELECT event_id, $1, 'payment.status', id, 1, '{}' FROM made
     ), counted AS (
       INSERT INTO intent_count AS c (merchant_id, status, shard, intents) VALUES ($1, 'initiated', 0, $2::int)
       ON CONFLICT (merchant_id, status, shard) DO UPDATE SET intents = c.intents + excluded.intents
     ), walked AS (
       INSERT INTO transition (intent_id, sequence, from_status, to_status, cause, event_id, created_at)
       SELECT id, 1, '', 'initiated', 'bench', event_id, now() FROM made
     )
     SELECT id, address FROM made`,
    [merchantId, count],
  );
  return rows;
}

/** Fresh intents whose one event has a body of the usual size; their deliveries come from `refillBacklog`. */
export async function fillFreshIntents(
  pool: Pool,
  merchantId: string,
  count: number,
  body: string,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `WITH made AS MATERIALIZED (
       SELECT n, ${ID('pi', 'now()')} AS id, ${ID('evt', 'now()')} AS event_id FROM generate_series(1, $2::int) AS n
     ),
     opened AS (
       INSERT INTO intent (id, merchant_id, status, amount_minor, currency, created_at, expires_at)
       SELECT id, $1, 'initiated', 4990, 'CHF', now(), now() + interval '15 minutes' FROM made
     ),
     happened AS (
       INSERT INTO event (id, merchant_id, type, subject, sequence, body)
       SELECT event_id, $1, 'payment.status', id, 1, $3 FROM made
     ),
     counted AS (
       INSERT INTO intent_count AS c (merchant_id, status, shard, intents) VALUES ($1, 'initiated', 0, $2::int)
       ON CONFLICT (merchant_id, status, shard) DO UPDATE SET intents = c.intents + excluded.intents
     ), walked AS (
       INSERT INTO transition (intent_id, sequence, from_status, to_status, cause, event_id, created_at)
       SELECT id, 1, '', 'initiated', 'bench', event_id, now() FROM made
     )
     SELECT id FROM made`,
    [merchantId, count, body],
  );
  return rows.map(({ id }) => id);
}
