import type { Pool } from 'pg';
import { fillDelivered, fillIntents, fillQueue } from '../bench/fill.js';

/** Merchants with intents, each with its share of them and the network that its buyers pay on. */
const SHARES = [
  { merchantId: 'mer_0', share: 0.6, network: 'ethereum' },
  { merchantId: 'mer_1', share: 0.25, network: 'base' },
  { merchantId: 'mer_2', share: 0.1, network: 'polygon' },
  { merchantId: 'mer_3', share: 0.05, network: 'ethereum' },
] as const;

/** Tables whose rows are in proportion to the number of intents. All others stay small. */
export const LARGE_TABLES = [
  'address',
  'api_request',
  'audit_entry',
  'collection',
  'delivery',
  'delivery_attempt',
  'event',
  'event_log',
  'intent',
  'quote',
  'review_decision',
  'settlement',
  'transfer',
  'transition',
  'unsettled_money',
];

/** Accounts, and what watchers know of their networks: as much of it for few intents as for many. */
const ACCOUNTS = [
  `INSERT INTO merchant (id, name, status) SELECT 'mer_' || n, 'Shop ' || n, 'approved' FROM generate_series(0, 199) n`,
  `INSERT INTO api_key (id, merchant_id, hash, prefix, label, scopes)
   SELECT 'key_' || n, 'mer_' || n % 200, sha256(n::text::bytea), 'rp_' || n, 'till', '{read,write}' FROM generate_series(0, 399) n`,
  `INSERT INTO extended_key (id, merchant_id, family, xpub, key_material)
   SELECT 'xk_' || n, 'mer_' || n, 'evm', 'xpub' || n, 'material' || n FROM generate_series(0, 199) n`,
  `INSERT INTO destination (id, merchant_id, address, factory)
   SELECT 'dst_' || n, 'mer_' || n, '0x' || substr(encode(sha256(n::text::bytea), 'hex'), 1, 40), '0x' || repeat('fa', 20)
   FROM generate_series(0, 199) n`,
  `INSERT INTO wallet (merchant_id, network, extended_key_id, destination_id)
   SELECT 'mer_' || n, network, CASE WHEN n % 2 = 0 THEN 'xk_' || n END, CASE WHEN n % 2 = 1 THEN 'dst_' || n END
   FROM generate_series(0, 199) n, unnest('{ethereum,base,polygon}'::text[]) network`,
  `INSERT INTO webhook_endpoint (id, merchant_id, url, secret)
   SELECT 'we_' || n, 'mer_' || n, 'https://shop-' || n || '.example/hook', 'sealed' FROM generate_series(0, 199) n`,
  `INSERT INTO person (id, email) SELECT 'per_' || n, n || '@shop.example' FROM generate_series(0, 299) n`,
  `INSERT INTO membership (person_id, merchant_id, role)
   SELECT 'per_' || n, 'mer_' || n % 200, 'owner' FROM generate_series(0, 299) n`,
  `INSERT INTO session (id, token_hash, person_id, stage, address, user_agent)
   SELECT 'ses_' || n, sha256(n::text::bytea), 'per_' || n % 300, 'full', '192.0.2.1', 'browser' FROM generate_series(0, 499) n`,
  `INSERT INTO one_time_link (hash, id, kind, email, created_by, expires_at)
   SELECT sha256(n::text::bytea), 'otl_' || n, 'invitation', n || '@shop.example', 'cli', now() FROM generate_series(0, 299) n`,
  `INSERT INTO alert (id, merchant_id, kind, subject, summary, detail, data, raised_at, resolved_at)
   SELECT 'al_' || n, 'mer_' || n % 200, 'review-entry', 'pi_' || n, 'summary', 'detail', '{}', now() - n * interval '1 hour',
          CASE WHEN n >= 20 THEN now() END
   FROM generate_series(0, 1999) n`,
  `INSERT INTO alert_notice (alert_id, channel) SELECT 'al_' || n, 'mail' FROM generate_series(0, 9) n`,
  `INSERT INTO rate_window (subject, starts_at, hits)
   SELECT 'key_' || n % 400, date_trunc('minute', now()) - n / 400 * interval '1 minute', n FROM generate_series(0, 1999) n`,
  `INSERT INTO chain_cursor (network, height, hash, block_time, safe_height, finalized_height, node_height, synced_at, chain_id, genesis_hash)
   SELECT network, top, '0x' || top, now(), top - 30, top - 60, top, now(), top, network
   FROM (VALUES ('ethereum', 1000000), ('base', 2000000), ('polygon', 3000000)) AS c (network, top)`,
  `INSERT INTO chain_block (network, height, hash, recorded_at)
   SELECT network, height - n, '0x' || height - n, now() - n * interval '12 seconds' FROM chain_cursor, generate_series(0, 999) n`,
  `INSERT INTO known_asset (network, asset_key, symbol, decimals)
   SELECT network, key, symbol, 6 FROM chain_cursor, (VALUES ('native', 'ETH'), ('0xa', 'USDC'), ('0xb', 'USDT')) AS a (key, symbol)`,
  `INSERT INTO cursor_asset (network, asset_key, from_height, covered_height)
   SELECT network, asset_key, 1, height FROM known_asset JOIN chain_cursor USING (network)`,
  `INSERT INTO watch_lease (network, holder, term, expires_at) SELECT network, 'one', 1, now() + interval '1 minute' FROM chain_cursor`,
  `INSERT INTO reconciliation (network, term) SELECT network, gen_random_uuid() FROM chain_cursor`,
  `INSERT INTO coin_baseline (network, address, height, unexplained_atoms)
   SELECT network, '0x' || md5(n::text), height - n % 1000, 0 FROM chain_cursor, generate_series(1, 2000) n`,
  `INSERT INTO chain_difference (network, address, asset, kind, chain_atoms, recorded_atoms, height, txids)
   SELECT network, '0x' || n, 'USDC', 'unrecorded', 1, 0, n, '{}' FROM chain_cursor, generate_series(1, 20) n`,
];

/** What is under way now: four of a thousand intents in all states of a payment, and what rests on their addresses. */
const UNDER_WAY = [
  `CREATE TEMP TABLE fresh ON COMMIT DROP AS
   SELECT n, 'mer_' || n % 4 AS merchant_id, 'pi_fresh' || n AS id, now() - n % 14 * interval '1 minute' AS at,
          (ARRAY['initiated', 'initiated', 'pending', 'confirmed'])[n / 4 % 4 + 1] AS status,
          (ARRAY['ethereum', 'base', 'polygon'])[n % 3 + 1] AS network,
          '0x' || substr(encode(sha256(('fresh' || n)::bytea), 'hex'), 1, 40) AS address
   FROM generate_series(1, :intents / 250) n`,
  `INSERT INTO address (family, address, destination_id, salt, subject, created_at, passed)
   SELECT 'evm', address, 'dst_' || n % 4, '0x' || encode(sha256(n::text::bytea), 'hex'), id, at, jsonb_build_object(network, height)
   FROM fresh JOIN chain_cursor USING (network)`,
  `INSERT INTO quote (id, intent_id, network, asset, decimals, amount_atoms, family, address, watched_address, price,
     rate_sources, rate_at, spread_bps, tolerance_bps, confirmation_depth, settlement_depth, created_at)
   SELECT 'quo_fresh' || n, id, network, 'USDC', 6, 12500000, 'evm', address, address, '0.8', '[]', at, 0, 0, '1', '3', at FROM fresh`,
  `INSERT INTO intent (id, merchant_id, status, amount_minor, currency, quote_id, sequence, created_at, expires_at, completed_at, confirmed_at)
   SELECT id, merchant_id, status, 1000, 'CHF', 'quo_fresh' || n, 2, at, at + interval '15 minutes',
          CASE WHEN status = 'confirmed' THEN at END,
          CASE WHEN status = 'confirmed' THEN at END
   FROM fresh`,
  `INSERT INTO transfer (id, network, txid, output, asset, family, address, subject, amount_atoms, state, block_height,
     block_hash, block_time, first_seen_at, observed_at, missing_since)
   SELECT 'tr_fresh' || n, network, '0xfresh' || n, 'log:0', 'USDC', 'evm', address, f.id, 12500000,
          CASE WHEN lost THEN 'orphaned' ELSE 'included' END, CASE WHEN NOT lost THEN height - n % 30 END,
          CASE WHEN NOT lost THEN '0x' || height - n % 30 END, CASE WHEN NOT lost THEN at END, at, at, CASE WHEN lost THEN at END
   FROM fresh f JOIN chain_cursor USING (network), LATERAL (SELECT n % 10 = 0 AS lost) l WHERE status <> 'initiated'`,
  `INSERT INTO event (id, merchant_id, type, subject, sequence, body, created_at)
   SELECT 'evt_fresh' || n, merchant_id, 'payment.status', id, 1, '{}', at FROM fresh`,
  `INSERT INTO delivery (event_id, endpoint_id, state, attempts, delayed, next_attempt_at, lease_until, lease_token)
   SELECT 'evt_fresh' || n, 'we_' || n % 4, (ARRAY['pending', 'sending', 'held'])[n % 3 + 1], (n % 6 = 0)::integer, n % 6 = 0, at,
          CASE WHEN n % 3 = 1 THEN now() END, CASE WHEN n % 3 = 1 THEN gen_random_uuid() END
   FROM fresh`,
  `INSERT INTO event_log_pending (merchant_id, event_id) SELECT merchant_id, 'evt_fresh' || n FROM fresh WHERE n <= 20`,
  `INSERT INTO fact_change (subject) SELECT id FROM fresh WHERE n <= 30`,
  `INSERT INTO fact_rest (subject, transfer_id)
   SELECT subject, id FROM transfer WHERE id LIKE 'tr_fresh%' AND state = 'included' ORDER BY id LIMIT 15`,
];

/** What past intents have left behind. */
const HISTORY = [
  // A quarter of the addresses belongs to wallets by one address, and what came there has been collected.
  `UPDATE address SET extended_key_id = NULL, derivation_index = NULL, destination_id = replace(extended_key_id, 'xk', 'dst'),
          salt = '0x' || encode(sha256(address::bytea), 'hex') WHERE derivation_index % 20 = 0`,
  'ANALYZE address', // or what follows is planned as if there were none of them
  `INSERT INTO collection (network, txid, output, asset, address, amount_atoms, block_height, block_hash, block_time)
   SELECT t.network, '0xcollected' || t.block_height / 2000, 'log:' || t.id, t.asset, t.address, t.amount_atoms,
          t.block_height + 1000, '0x', t.block_time + interval '1 day'
   FROM transfer t JOIN address a USING (family, address) WHERE a.destination_id IS NOT NULL AND t.final`,
  `INSERT INTO event_log (merchant_id, position, event_id)
   SELECT merchant_id, row_number() OVER (PARTITION BY merchant_id ORDER BY created_at, id), id FROM event WHERE id NOT LIKE 'evt_fresh%'`,
  `INSERT INTO unsettled_money (intent_id, transfer_id, merchant_id, reason, network, asset, decimals, amount_atoms, txid, sequence,
     event_id, created_at)
   SELECT i.id, t.id, i.merchant_id, 'after-settlement', t.network, t.asset, 6, 1, t.txid, 1, 'evt' || t.id, i.settled_at
   FROM transfer t JOIN intent i ON i.id = t.subject WHERE i.status = 'settled' AND t.block_height % 40 = 0`,
  `INSERT INTO review_decision (id, intent_id, kind, actor, note, transfers, created_at)
   SELECT 'rd' || transfer_id, intent_id, 'dismiss', 'somebody', 'note', ARRAY[transfer_id], created_at FROM unsettled_money`,
  `INSERT INTO api_request (at, merchant_id, key_id, method, path, status, trace_id, duration_ms, intent_id)
   SELECT created_at, merchant_id, replace(merchant_id, 'mer', 'key'), 'POST', '/api/v1/intents',
          CASE WHEN hashtext(id) % 20 = 0 THEN 422 ELSE 201 END, md5(id), 5, id FROM intent ORDER BY created_at`,
  `INSERT INTO audit_entry (at, actor, merchant_id, action, subject)
   SELECT now() - n * interval '1 hour', 'somebody', 'mer_' || n % 200, 'key.revoked', 'key_' || n
   FROM generate_series(1, :intents / 20) n`,
];

/**
 * A life of 90 days: so many intents of four of two hundred merchants, with their quotes, transfers, events, deliveries
 * and settlements; some are under way, some have left money behind. The statistics are those of what was written.
 */
export async function fill(pool: Pool, intents: number): Promise<void> {
  await inOneTransaction(pool, ACCOUNTS, intents);
  for (const { merchantId, share, network } of SHARES) {
    await fillIntents(pool, merchantId, Math.round(intents * share), network);
    await fillDelivered(pool, merchantId.replace('mer', 'we'));
  }
  await fillQueue(pool, SHARES[0].merchantId, 40);
  await inOneTransaction(pool, [...UNDER_WAY, ...HISTORY], intents);
  await pool.query('VACUUM ANALYZE');
}

async function inOneTransaction(pool: Pool, statements: readonly string[], intents: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // No foreign keys and no triggers: what is written here holds them, and checking a million rows takes minutes.
    await client.query('SET LOCAL session_replication_role = replica');
    for (const statement of statements) await client.query(statement.replaceAll(':intents', String(intents)));
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
