import { statement } from '../../../database/statement.js';
import { WATCHED } from './balances.sql.js';
import { writeStatement } from './fenced.js';
import { ISSUERS } from './issuers.sql.js';
import { COLLECTED, INCLUDED, rowsFrom } from './movements.js';

export const CURSOR = statement(
  'chains-cursor',
  `SELECT c.height, c.hash, c.chain_id, c.genesis_hash, c.finalized_height, c.coin_unwatched, c.known_tags,
          c.coin_blind_from,
          (SELECT coalesce(json_object_agg(a.asset_key, a.covered_height), '{}')
             FROM cursor_asset a WHERE a.network = c.network) AS covered
     FROM chain_cursor c WHERE c.network = $1`,
);

/** Of a family: whether anybody was ever told to pay there. */
export const ANY_ADDRESS = statement(
  'chains-any-address',
  'SELECT EXISTS (SELECT FROM address WHERE family = $1) AS issued',
);

export const ANY_FORWARDER = statement(
  'chains-any-forwarder',
  'SELECT EXISTS (SELECT FROM address WHERE destination_id IS NOT NULL) AS issued',
);

export const OWNERS = statement(
  'chains-owners',
  'SELECT address, subject FROM address WHERE family = $1 AND address = ANY ($2)',
);

/** Those among them, if any, that were issued, and whether they are deposit addresses without keys. */
export const ISSUED = statement(
  'chains-issued',
  `SELECT address, subject, destination_id IS NOT NULL AS is_forwarder FROM address
    WHERE family = $1 AND address = ANY ($2)`,
);

/** In the block of a row that is there already nothing is new; a reorganisation has removed all others. */
export const WRITE_COLLECTIONS = writeStatement(
  'chains-write-collections',
  `INSERT INTO collection (network, txid, output, asset, address, amount_atoms, block_height, block_hash, block_time)
   SELECT $1, f.* FROM ${rowsFrom(2, COLLECTED)} ON CONFLICT (network, txid, output) DO NOTHING`,
);

export const DROP_COLLECTIONS = writeStatement(
  'chains-drop-collections',
  'DELETE FROM collection WHERE network = $1 AND block_height > $2',
);

export const BEGIN_AT = writeStatement(
  'chains-begin-at',
  `WITH begun AS (
     INSERT INTO chain_cursor (network, height, hash, block_time, safe_height, finalized_height, node_height, synced_at,
                               chain_id, genesis_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'epoch', $8, $9)
     ON CONFLICT (network) DO NOTHING -- on no other: a chain that another network follows already must fail
     RETURNING network
   ), covering AS (
     INSERT INTO cursor_asset (network, asset_key, from_height, covered_height)
     SELECT network, unnest($10::text[]), $2, $2 FROM begun
     ON CONFLICT (network, asset_key)
     DO UPDATE SET from_height = excluded.from_height, covered_height = excluded.covered_height
   )
   SELECT network FROM begun`,
);

/** What a node has known once it must not take back after our restart: what stands in for it could be final earlier. */
export const KNOW_TAGS = writeStatement(
  'chains-know-tags',
  'UPDATE chain_cursor SET known_tags = known_tags || $2::text[] WHERE network = $1',
);

/** For cursors from before chains were remembered. */
export const IDENTIFY = writeStatement(
  'chains-identify',
  'UPDATE chain_cursor SET chain_id = $2, genesis_hash = $3 WHERE network = $1 AND genesis_hash IS NULL',
);

export const WATCH_FAILS = writeStatement(
  'chains-watch-fails',
  `INSERT INTO watch_failure (network, reason) VALUES ($1, $2)
   ON CONFLICT (network) DO UPDATE SET reason = excluded.reason`,
);

export const WATCH_WORKS = writeStatement(
  'chains-watch-works',
  'DELETE FROM watch_failure WHERE network = $1',
);

/**
 * The compare-and-set that makes a second watcher harmless: whoever comes late updates no row and writes nothing.
 * What was final stays so, whatever a node that lags says later. $11 are the assets that the step looked for: each
 * moves on from where the cursor stood, or begins there; one that was left behind stays behind.
 */
export const MOVE_CURSOR = writeStatement(
  'chains-move-cursor',
  `WITH before AS (
     SELECT * FROM chain_cursor WHERE network = $1 AND height = $2 AND hash = $3 FOR UPDATE
   ), covering AS (
     INSERT INTO cursor_asset AS a (network, asset_key, from_height, covered_height)
     SELECT network, unnest($11::text[]), height, $4 FROM before
     ON CONFLICT (network, asset_key) DO UPDATE SET covered_height = excluded.covered_height
      WHERE a.covered_height = $2 AND a.covered_height <> excluded.covered_height
   )
   UPDATE chain_cursor c
      SET height = $4, hash = $5, block_time = $6, node_height = $7,
          safe_height = greatest(b.safe_height, $8), finalized_height = greatest(b.finalized_height, $9),
          synced_at = CASE WHEN $4::bigint = $7::bigint AND $6::timestamptz > clock_timestamp() - make_interval(secs => $10)
                           THEN clock_timestamp() ELSE c.synced_at END
     FROM before b
    WHERE c.network = b.network AND c.height = b.height AND c.hash = b.hash
   RETURNING b.synced_at AS synced_before, c.synced_at > b.synced_at AS synced,
             (extract(epoch FROM clock_timestamp() - b.synced_at) * 1000)::float8 AS unseen_ms,
             (extract(epoch FROM c.synced_at - b.synced_at) * 1000)::float8 AS unsynced_ms,
             b.safe_height <> c.safe_height OR b.finalized_height <> c.finalized_height AS deeper,
             EXISTS (SELECT FROM transfer t WHERE t.network = $1 AND NOT t.final AND t.state = 'orphaned'
                        AND t.block_height IS NULL) AS missing`,
);

/** $4: assets that were covered up to $5, and are up to $6 now; all of them or none. */
export const COVER = writeStatement(
  'chains-cover',
  `WITH standing AS (
     SELECT network FROM chain_cursor WHERE network = $1 AND height = $2 AND hash = $3 FOR SHARE
   ), behind AS (
     SELECT a.asset_key FROM cursor_asset a JOIN standing s ON s.network = a.network
      WHERE a.asset_key = ANY ($4) AND a.covered_height = $5 FOR UPDATE OF a
   )
   UPDATE cursor_asset a SET covered_height = $6
     FROM behind b
    WHERE a.network = $1 AND a.asset_key = b.asset_key
      AND (SELECT count(*) FROM behind) = cardinality($4::text[])
   RETURNING a.asset_key`,
);

export const KEEP_BLOCKS = writeStatement(
  'chains-keep-blocks',
  `WITH dropped AS (DELETE FROM chain_block WHERE network = $1 AND height <= $4)
   INSERT INTO chain_block (network, height, hash)
   SELECT $1, height, hash FROM unnest($2::bigint[], $3::text[]) AS b (height, hash)
   ON CONFLICT (network, height) DO UPDATE SET hash = excluded.hash, recorded_at = clock_timestamp()`,
);

/** changed_at stays that of the oldest change, so that a subject which changes at every block gets its turn. */
export const WAKE = `
  INSERT INTO fact_change (subject)
  SELECT DISTINCT subject FROM woken ORDER BY subject -- in one order everywhere, or two watchers deadlock
  ON CONFLICT (subject) DO UPDATE SET version = pg_current_xact_id()::text::bigint`;

/**
 * Whether the money of `f` came from an address of the same merchant: one that was issued for it, one that it is paid
 * out to, or one that it calls its own. $2: the family. Payers are joined by commas, because PostgreSQL's unnest would flatten an array of arrays.
 */
export const IS_OWN = `EXISTS (
       SELECT FROM address a JOIN ${ISSUERS} k ON k.id = coalesce(a.extended_key_id, a.destination_id),
                   unnest(string_to_array(f.payers, ',')) AS payer
        WHERE a.family = $2 AND a.address = f.address AND (
          EXISTS (SELECT FROM address p JOIN ${ISSUERS} pk ON pk.id = coalesce(p.extended_key_id, p.destination_id)
                   WHERE p.family = $2 AND p.address = payer AND pk.merchant_id = k.merchant_id)
          OR EXISTS (SELECT FROM destination d
                      WHERE $2 = 'evm' AND d.merchant_id = k.merchant_id AND d.address = payer)
          OR EXISTS (SELECT FROM own_address o
                      WHERE o.merchant_id = k.merchant_id AND o.family = $2 AND o.address = payer)))`;

/**
 * Whether the money of `f` stands in a block that the watcher had passed when its address was issued: nobody can have
 * sent it to whom the address was given. By the block's own time, with what headers may be wrong by, where it is not
 * known how far the watcher was. In whichever block its transaction comes back, it was sent before.
 */
export const IS_BEFORE_ISSUE = `(EXISTS (
       SELECT FROM address a
        WHERE a.family = $2 AND a.address = f.address
          AND coalesce(f.block_height <= (a.passed->>$1::text)::bigint,
                       f.block_time < a.created_at - interval '3 hours'))
       OR EXISTS (SELECT FROM transfer e
                   WHERE e.network = $1 AND e.txid = f.txid AND e.address = f.address AND e.before_issue))`;

/**
 * Writes movements in blocks, `f`, for the watcher and for the comparison alike. What a transaction pays again after a
 * reorganisation comes back to its row; what it pays otherwise than before is a row of its own (`RIVALS` says what becomes
 * of the former ones).
 * @param given SQL: `spends` of `f`, where it is known by now; `blindSince` our last look before the first sight;
 *   `only` which of `f`
 */
export const insertTransfers = (given: { spends: string; blindSince: string; only: string }) => `
   INSERT INTO transfer (network, family, id, txid, output, asset, address, subject, amount_atoms, state,
                         block_height, block_hash, block_time, sender, nonce, spends, blind_since, own, before_issue)
   SELECT $1, $2, f.id, f.txid, f.output, f.asset, f.address, f.subject, f.amount_atoms, 'included',
          f.block_height, f.block_hash, f.block_time, f.sender, f.nonce, ${given.spends}, ${given.blindSince}, ${IS_OWN},
          ${IS_BEFORE_ISSUE}
     FROM f WHERE ${given.only}
   ON CONFLICT (network, txid, output, address, asset, amount_atoms) DO UPDATE
      SET state = 'included', block_height = excluded.block_height, block_hash = excluded.block_hash,
          block_time = excluded.block_time, missing_since = NULL, final = false, sender = excluded.sender,
          nonce = excluded.nonce, own = excluded.own, before_issue = excluded.before_issue,
          spends = coalesce(excluded.spends, transfer.spends), replaced_by = NULL, superseded = false`;

/**
 * $3: our last look before the first sight. What still stands in a place where something else was found is missing from
 * now on: a node has contradicted itself. Those that are paid are woken by DEEPEN.
 */
export const WRITE_TRANSFERS = writeStatement(
  'chains-write-transfers',
  `WITH f AS (SELECT * FROM ${rowsFrom(4, INCLUDED)}), woken AS (
     UPDATE transfer t
        SET state = 'orphaned', missing_since = clock_timestamp(), final = false,
            block_height = NULL, block_hash = NULL, block_time = NULL
       FROM f
      WHERE t.network = $1 AND t.txid = f.txid AND t.output = f.output AND t.state IN ('mempool', 'included')
        AND t.txid = ANY (ARRAY (SELECT txid FROM f)) -- said twice: found one by one, however few there seem to be
        AND (t.address, t.asset, t.amount_atoms) <> (f.address, f.asset, f.amount_atoms)
     RETURNING t.subject
   ), changes AS (${WAKE})
   ${insertTransfers({
     spends: 'NULL::text[]',
     blindSince: '$3::timestamptz',
     only: '(SELECT count(*) FROM woken) >= 0 -- the places are left first',
   })}`,
);

export const WAKE_SUBJECTS = writeStatement(
  'chains-wake-subjects',
  `WITH woken AS (SELECT unnest($1::text[]) AS subject), changes AS (${WAKE}) SELECT count(*)::int AS woken FROM woken`,
);

/** How long the subject of a missing transfer is still woken: past every grace time, far from for ever. */
export const ORPHANS_WATCHED = `interval '25 hours'`;

/**
 * Another block on top changes the depth of everything that is not done yet. $2: up to here blocks are final, and
 * deeper than anybody counts.
 * The snapshot is from before the update, so that what becomes final here is told once more.
 */
export const DEEPEN = writeStatement(
  'chains-deepen',
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

/**
 * Time for which what is missing would not have been seen where it came back does not count: since $4, when we last saw,
 * or since it went missing. That is everything where nobody saw the network ($5), an asset that was not looked for up to
 * the cursor, and, of what balances alone tell, while they are not told, or not compared at its address. $2, $3: as in
 * WATCHED.
 */
export const ADD_UNSEEN_TIME = writeStatement(
  'chains-add-unseen-time',
  `UPDATE transfer t SET missing_since = missing_since + (clock_timestamp() - greatest($4::timestamptz, missing_since))
     FROM chain_cursor c
    WHERE c.network = $1 AND t.network = $1 AND NOT t.final AND t.state = 'orphaned' AND t.block_height IS NULL
      AND ($5 OR EXISTS (SELECT FROM known_asset k LEFT JOIN cursor_asset a USING (network, asset_key)
                          WHERE k.network = $1 AND k.symbol = t.asset AND coalesce(a.covered_height, -1) < c.height)
           OR (t.output LIKE 'call:%' OR t.output LIKE 'balance:%')
              AND (c.coin_blind_from IS NOT NULL OR t.address NOT IN (SELECT address FROM (${WATCHED}) w)))`,
);

export const NODE_HEIGHT = writeStatement(
  'chains-node-height',
  'UPDATE chain_cursor SET node_height = $2 WHERE network = $1',
);

export const CROSS_CHECK = writeStatement(
  'chains-cross-check',
  'UPDATE chain_cursor SET cross_check = $2 WHERE network = $1 AND cross_check IS DISTINCT FROM $2',
);

export const STORED_BLOCKS = statement(
  'chains-stored-blocks',
  'SELECT height, hash FROM chain_block WHERE network = $1 AND height <= $2 ORDER BY height DESC',
);

export const FORGET_BLOCKS = writeStatement(
  'chains-forget-blocks',
  'DELETE FROM chain_block WHERE network = $1',
);

export const REWIND_CURSOR = writeStatement(
  'chains-rewind-cursor',
  `WITH moved AS (
     UPDATE chain_cursor c
        SET height = $4, hash = $5, block_time = $6,
            safe_height = least(c.safe_height, $4), finalized_height = least(c.finalized_height, $4),
            coin_blind_from = CASE WHEN c.coin_blind_from > $4 THEN $4 ELSE c.coin_blind_from END
      WHERE network = $1 AND height = $2 AND hash = $3
     RETURNING network
   ), uncovering AS (
     UPDATE cursor_asset a
        SET covered_height = least(covered_height, $4), from_height = least(from_height, $4)
       FROM moved WHERE a.network = moved.network AND covered_height > $4
   )
   SELECT network FROM moved`,
);

/**
 * Blocks up to $2 that something of ours rests on, the highest first: where it stands says which chain it was read from.
 * All that `REWIND` takes away above a height is here, or it would stay below for ever.
 */
export const BLOCKS_RESTED_ON = statement(
  'chains-blocks-rested-on',
  `SELECT height, hash, count(*)::int AS facts FROM (
     SELECT block_height AS height, block_hash AS hash FROM transfer
      WHERE network = $1 AND state = 'included' AND block_height <= $2
     UNION ALL
     SELECT block_height, block_hash FROM collection WHERE network = $1 AND block_height <= $2
     UNION ALL
     SELECT height, hash FROM coin_baseline WHERE network = $1 AND height <= $2) f
    GROUP BY height, hash ORDER BY height DESC LIMIT $3`,
);

/**
 * Blocks above $2 are being given up: what comes in the new ones, addresses were issued before. $3: the family. Only the
 * youngest addresses can have passed them, where the first of these blocks is remembered.
 */
export const LOWER_PASSED = writeStatement(
  'chains-lower-passed',
  `UPDATE address SET passed = jsonb_set(passed, ARRAY[$1::text], to_jsonb($2::bigint))
    WHERE family = $3 AND (passed->>$1::text)::bigint > $2::bigint
      AND created_at >= coalesce((SELECT min(recorded_at) FILTER (WHERE height > $2::bigint) - interval '1 minute'
                                    FROM chain_block WHERE network = $1::text
                                  HAVING min(height) <= $2::bigint), '-infinity')`,
);

const WAS_COMPARED_ABOVE = `greatest(comparing_height, compared_height, (position->>'height')::bigint - 1) > $2`;

/** Of a family ($3) whose rounds read block by block: what stands below is as it was compared. */
const IS_BY_BLOCKS = `$3 = 'bitcoin'`;

/**
 * What was compared above $2 is compared again: other blocks stand there by now. A round by blocks goes back to the first
 * of them, any other begins anew; a part that is under way has lost its claim, and the block that it compares. The row is
 * always written: what it says is judged once nobody else is writing it.
 */
export const COMPARE_AGAIN = writeStatement(
  'chains-compare-again',
  `UPDATE reconciliation
      SET compared_height = CASE WHEN compared_height > $2 THEN $2 ELSE compared_height END,
          (comparing_height, term) = (SELECT comparing_height, term WHERE ${WAS_COMPARED_ABOVE} IS NOT TRUE),
          position = CASE WHEN ${WAS_COMPARED_ABOVE} IS NOT TRUE THEN position
                          WHEN ${IS_BY_BLOCKS} AND position IS NOT NULL
                          THEN jsonb_build_object('height', least((position->>'height')::bigint, $2::bigint + 1)) END,
          round_started_at = CASE WHEN ${WAS_COMPARED_ABOVE} IS NOT TRUE OR (${IS_BY_BLOCKS} AND position IS NOT NULL)
                                  THEN round_started_at END,
          whole_at = CASE WHEN ${WAS_COMPARED_ABOVE} IS NOT TRUE OR ${IS_BY_BLOCKS} THEN whole_at END,
          leased_until = CASE WHEN ${WAS_COMPARED_ABOVE} THEN clock_timestamp() ELSE leased_until END
    WHERE network = $1`,
);

export const DROP_BLOCKS = writeStatement(
  'chains-drop-blocks',
  'DELETE FROM chain_block WHERE network = $1 AND height > $2',
);

export const ORPHAN = writeStatement(
  'chains-orphan',
  `WITH woken AS (
     UPDATE transfer
        SET state = 'orphaned', missing_since = clock_timestamp(), final = false,
            block_height = NULL, block_hash = NULL, block_time = NULL
      WHERE network = $1 AND state = 'included' AND block_height > $2
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS orphaned FROM woken`,
);

/**
 * Each with the block in which its own transaction pays the same address otherwise, where it does. Paying it nothing is
 * no such sign: coin may be there all the same and not be seen yet.
 */
export const ORPHANS = statement(
  'chains-orphans',
  `SELECT t.id, t.txid, t.sender, t.nonce, a.height AS again_height
     FROM transfer t CROSS JOIN LATERAL (
       SELECT min(w.block_height) AS height FROM transfer w
        WHERE w.network = t.network AND w.txid = t.txid AND w.address = t.address AND w.asset = t.asset
          AND w.state = 'included' AND t.superseded) a
    WHERE t.network = $1 AND NOT t.final AND t.state = 'orphaned' AND (t.nonce IS NOT NULL OR a.height IS NOT NULL)
      AND t.missing_since > clock_timestamp() - ${ORPHANS_WATCHED}`,
);

/** Only while the cursor stands where the nonces were asked: a reorganisation since may have brought them back. */
export const REPLACE = writeStatement(
  'chains-replace',
  `WITH standing AS (
     SELECT FROM chain_cursor WHERE network = $2 AND height = $3 AND hash = $4 FOR SHARE
   ), woken AS (
     UPDATE transfer SET state = 'replaced', missing_since = NULL
      WHERE id = ANY ($1) AND state = 'orphaned' AND EXISTS (SELECT FROM standing)
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS replaced FROM woken`,
);

/** After an operator has said that the chain was replaced: the next look remembers the new one. */
export const FORGET_CHAIN = writeStatement(
  'chains-forget-chain',
  `UPDATE chain_cursor SET chain_id = NULL, genesis_hash = NULL, known_tags = '{}' WHERE network = $1`,
);
