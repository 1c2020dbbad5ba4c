import { statement } from '../../../database/statement.js';

export const CURSOR = statement('chains_cursor', 'SELECT height, hash FROM chain_cursor WHERE network = $1');

/** Of a family: whether anybody was ever told to pay there. */
export const ANY_ADDRESS = statement(
  'chains_any_address',
  'SELECT EXISTS (SELECT FROM address WHERE family = $1) AS issued',
);

export const OWNERS = statement(
  'chains_owners',
  'SELECT address, subject FROM address WHERE family = $1 AND address = ANY ($2)',
);

export const BEGIN_AT = statement(
  'chains_begin_at',
  `INSERT INTO chain_cursor (network, height, hash, block_time, safe_height, finalized_height, node_height, synced_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, 'epoch')
   ON CONFLICT DO NOTHING
   RETURNING network`,
);

/** The compare-and-set that makes a second watcher harmless: whoever comes late updates no row and writes nothing. */
export const MOVE_CURSOR = statement(
  'chains_move_cursor',
  `WITH before AS (
     SELECT * FROM chain_cursor WHERE network = $1 AND height = $2 AND hash = $3 FOR UPDATE
   )
   UPDATE chain_cursor c
      SET height = $4, hash = $5, block_time = $6, node_height = $7, safe_height = $8, finalized_height = $9,
          synced_at = CASE WHEN $4::bigint = $7::bigint AND $6::timestamptz > clock_timestamp() - make_interval(secs => $10)
                           THEN clock_timestamp() ELSE c.synced_at END
     FROM before b
    WHERE c.network = b.network AND c.height = b.height AND c.hash = b.hash
   RETURNING b.synced_at AS synced_before, c.synced_at > b.synced_at AS synced,
             (extract(epoch FROM c.synced_at - b.synced_at) * 1000)::float8 AS unsynced_ms,
             b.safe_height <> c.safe_height OR b.finalized_height <> c.finalized_height AS deeper`,
);

export const KEEP_BLOCKS = statement(
  'chains_keep_blocks',
  `WITH dropped AS (DELETE FROM chain_block WHERE network = $1 AND height <= $4)
   INSERT INTO chain_block (network, height, hash)
   SELECT $1, height, hash FROM unnest($2::bigint[], $3::text[]) AS b (height, hash)
   ON CONFLICT (network, height) DO UPDATE SET hash = excluded.hash`,
);

/** A block that is given up was still the first sign of the money: losing it must not make a payment late. */
const EARLIEST = 'least(transfer.first_seen_at, transfer.block_time)';

/** changed_at stays that of the oldest change, so that a subject which changes at every block gets its turn. */
export const WAKE = `
  INSERT INTO fact_change (subject)
  SELECT DISTINCT subject FROM woken ORDER BY subject -- in one order everywhere, or two watchers deadlock
  ON CONFLICT (subject) DO UPDATE SET version = pg_current_xact_id()::text::bigint`;

/**
 * A transaction that comes back after a reorganisation comes back to its row. Everything but the first sign of it
 * is written again, because the same call may pay differently in another block: another subject even, and then the
 * one that it no longer pays is woken here. Those that are paid are woken by DEEPEN.
 */
export const WRITE_TRANSFERS = statement(
  'chains_write_transfers',
  `WITH f AS (
     SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::numeric[],
                          $10::bigint[], $11::text[], $12::timestamptz[], $13::text[], $14::bigint[])
          AS f (id, txid, output, asset, address, subject, amount_atoms,
                block_height, block_hash, block_time, sender, nonce)
   ), woken AS (
     SELECT t.subject FROM f JOIN transfer t ON t.network = $1 AND t.txid = f.txid AND t.output = f.output
      WHERE t.subject <> f.subject
   ), changes AS (${WAKE})
   INSERT INTO transfer (network, family, id, txid, output, asset, address, subject, amount_atoms, state,
                         block_height, block_hash, block_time, sender, nonce)
   SELECT $1, $2, f.id, f.txid, f.output, f.asset, f.address, f.subject, f.amount_atoms, 'included',
          f.block_height, f.block_hash, f.block_time, f.sender, f.nonce
     FROM f
   ON CONFLICT (network, txid, output) DO UPDATE
      SET asset = excluded.asset, address = excluded.address, subject = excluded.subject,
          amount_atoms = excluded.amount_atoms, state = 'included', block_height = excluded.block_height,
          block_hash = excluded.block_hash, block_time = excluded.block_time, missing_since = NULL,
          final = false, sender = excluded.sender, nonce = excluded.nonce, first_seen_at = ${EARLIEST}`,
);

/**
 * A transaction that is included again may emit its logs in other places: what it no longer holds is not missing but
 * gone, and must not count beside what it holds now. That was seen when the other was: moving must not make it late.
 */
export const DROP_MOVED_LOGS = statement(
  'chains_drop_moved_logs',
  `WITH woken AS (
     UPDATE transfer SET state = 'replaced', missing_since = NULL
      WHERE network = $1 AND txid = ANY ($2) AND state = 'orphaned'
     RETURNING txid, subject, first_seen_at
   ), inherited AS (
     UPDATE transfer t SET first_seen_at = least(t.first_seen_at, m.seen_at)
       FROM (SELECT txid, subject, min(first_seen_at) AS seen_at FROM woken GROUP BY txid, subject) m
      WHERE t.network = $1 AND t.txid = m.txid AND t.subject = m.subject AND t.state = 'included'
   ), changes AS (${WAKE})
   SELECT count(*)::int AS moved FROM woken`,
);

/** How long the subject of a missing transfer is still woken: past every grace time, far from for ever. */
export const ORPHANS_WATCHED = `interval '25 hours'`;

/**
 * Another block on top changes the depth of everything that is not done yet. $2: up to here blocks are final, and
 * deeper than anybody counts.
 * The snapshot is from before the update, so that what becomes final here is told once more.
 */
export const DEEPEN = statement(
  'chains_deepen',
  `WITH settled AS (
     UPDATE transfer SET final = true
      WHERE network = $1 AND NOT final AND state = 'included' AND block_height <= $2
   ), woken AS (
     SELECT subject, state FROM transfer
      WHERE network = $1 AND NOT final AND state <> 'replaced'
        AND (missing_since IS NULL OR missing_since > clock_timestamp() - ${ORPHANS_WATCHED})
   ), changes AS (${WAKE})
   SELECT coalesce(bool_or(state = 'orphaned'), false) AS orphans FROM woken`,
);

/** $2: when we last saw. Time that passed unseen, since then or since the transfer went missing, does not count. */
export const ADD_BLIND_TIME = statement(
  'chains_add_blind_time',
  `UPDATE transfer SET missing_since = missing_since + (clock_timestamp() - greatest($2::timestamptz, missing_since))
    WHERE network = $1 AND NOT final AND state = 'orphaned'`,
);

export const NODE_HEIGHT = statement(
  'chains_node_height',
  'UPDATE chain_cursor SET node_height = $2 WHERE network = $1',
);

export const CROSS_CHECK = statement(
  'chains_cross_check',
  'UPDATE chain_cursor SET cross_check = $2 WHERE network = $1 AND cross_check IS DISTINCT FROM $2',
);

export const STORED_BLOCKS = statement(
  'chains_stored_blocks',
  'SELECT height, hash FROM chain_block WHERE network = $1 AND height <= $2 ORDER BY height DESC',
);

export const REWIND_CURSOR = statement(
  'chains_rewind_cursor',
  `UPDATE chain_cursor SET height = $4, hash = $5, block_time = $6
    WHERE network = $1 AND height = $2 AND hash = $3
   RETURNING network`,
);

export const DROP_BLOCKS = statement(
  'chains_drop_blocks',
  'DELETE FROM chain_block WHERE network = $1 AND height > $2',
);

export const ORPHAN = statement(
  'chains_orphan',
  `WITH woken AS (
     UPDATE transfer
        SET state = 'orphaned', missing_since = clock_timestamp(), final = false,
            first_seen_at = ${EARLIEST}, block_height = NULL, block_hash = NULL, block_time = NULL
      WHERE network = $1 AND state = 'included' AND block_height > $2
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS orphaned FROM woken`,
);

export const ORPHANS = statement(
  'chains_orphans',
  `SELECT id, txid, sender, nonce FROM transfer
    WHERE network = $1 AND NOT final AND state = 'orphaned' AND nonce IS NOT NULL
      AND missing_since > clock_timestamp() - ${ORPHANS_WATCHED}`,
);

/** Only while the cursor stands where the nonces were asked: a reorganisation since may have brought them back. */
export const REPLACE = statement(
  'chains_replace',
  `WITH standing AS (
     SELECT FROM chain_cursor WHERE network = $2 AND height = $3 AND hash = $4 FOR SHARE
   ), woken AS (
     UPDATE transfer SET state = 'replaced', missing_since = NULL
      WHERE id = ANY ($1) AND state = 'orphaned' AND EXISTS (SELECT FROM standing)
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS replaced FROM woken`,
);
