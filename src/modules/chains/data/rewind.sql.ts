import { statement } from '../../../database/statement.js';
import { issuingLockSql } from './addresses/issuers.sql.js';
import { MOST_CHANGED, writeStatement } from './fenced.statement.js';
import { WAKE } from './movements.sql.js';

/** Waits for those who are issuing addresses of a family, so that `LOWER_PASSED` sees theirs; others wait behind. */
export const AWAIT_ISSUING = writeStatement(
  'chains-await-issuing',
  `SELECT pg_advisory_xact_lock(${issuingLockSql('$1')})`,
);

export const REWIND_CURSOR = writeStatement(
  'chains-rewind-cursor',
  `WITH moved AS (
     UPDATE chain_cursor c
        SET height = $4, hash = $5, block_time = $6,
            safe_height = least(c.safe_height, $4), finalized_height = least(c.finalized_height, $4),
            given_up_at = CASE WHEN c.finalized_height > $4 THEN clock_timestamp() ELSE c.given_up_at END,
            given_up_height = CASE WHEN c.finalized_height > $4 THEN $4 + 1 ELSE c.given_up_height END,
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
 * Blocks above $2 are being given up: what comes in the new ones, addresses were issued before. $3: the family. Only
 * addresses that are younger than the first of these blocks can have passed it; where it is not remembered, any.
 */
export const LOWER_PASSED = writeStatement(
  'chains-lower-passed',
  `UPDATE address SET passed = jsonb_set(passed, ARRAY[$1::text], to_jsonb($2::bigint))
    WHERE family = $3 AND (passed->>$1::text)::bigint > $2::bigint
      AND created_at >= coalesce((SELECT recorded_at - interval '1 minute' FROM chain_block
                                   WHERE network = $1::text AND height = $2::bigint + 1), '-infinity')`,
);

const WAS_COMPARED_ABOVE = `greatest(comparing_height, compared_height, (position->>'height')::bigint - 1) > $2`;

/** Of a family ($3) whose rounds read block by block: what stands below is as it was compared. */
const IS_BY_BLOCKS = `$3 <> 'evm'`;

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

export const DROP_COLLECTIONS = writeStatement(
  'chains-drop-collections',
  'DELETE FROM collection WHERE network = $1 AND block_height > $2',
);

export const ORPHAN = writeStatement(
  'chains-orphan',
  `WITH woken AS (
     UPDATE transfer
        SET state = 'orphaned', missing_since = clock_timestamp(), final = false,
            block_height = NULL, block_hash = NULL, block_time = NULL
      WHERE id = ANY (ARRAY (
        SELECT id FROM transfer WHERE network = $1 AND state = 'included' AND block_height > $2
         ORDER BY block_height LIMIT ${MOST_CHANGED}))
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS rows FROM woken`,
);

export const FORGET_BLOCKS = writeStatement(
  'chains-forget-blocks',
  'DELETE FROM chain_block WHERE network = $1',
);

/** When the watcher first read them, nobody knows: addresses that were issued before this may have passed them. */
export const KEEP_ONLY = writeStatement(
  'chains-keep-only',
  `INSERT INTO chain_block (network, height, hash, recorded_at)
   SELECT $1, height, hash, 'epoch' FROM unnest($2::bigint[], $3::text[]) AS b (height, hash)`,
);

/** After an operator has said that the chain was replaced: the next look remembers the new one. */
export const FORGET_CHAIN = writeStatement(
  'chains-forget-chain',
  `UPDATE chain_cursor SET chain_id = NULL, genesis_hash = NULL, known_tags = '{}' WHERE network = $1`,
);
