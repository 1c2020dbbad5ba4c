import { statement } from '../../../database/statement.js';
import { writeStatement } from './fenced.statement.js';

export const CURSOR = statement(
  'chains-cursor',
  `SELECT c.height, c.hash, c.chain_id AS "chainId", c.genesis_hash AS "genesisHash", c.safe_height AS "safeHeight",
          c.finalized_height AS "finalizedHeight", c.coin_unwatched AS "coinUnwatched", c.known_tags AS "knownTags",
          c.coin_blind_from AS "coinBlindFrom", clock_timestamp() AS "readAt",
          (SELECT coalesce(json_object_agg(a.asset_key, a.covered_height), '{}')
             FROM cursor_asset a WHERE a.network = c.network) AS covered
     FROM chain_cursor c WHERE c.network = $1`,
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
  `INSERT INTO watch_failure (network, reason, halted) VALUES ($1, $2, $3)
   ON CONFLICT (network) DO UPDATE SET reason = excluded.reason, halted = excluded.halted`,
);

export const WATCH_WORKS = writeStatement(
  'chains-watch-works',
  'DELETE FROM watch_failure WHERE network = $1',
);

/**
 * The compare-and-set that makes a second watcher harmless: whoever comes late updates no row and writes nothing.
 * What was final stays so, whatever a node that lags says later. $11 are the assets that the step looked for: each
 * moves on from where the cursor stood, or begins there; one that was left behind stays behind. $12: before the node
 * was asked for its tip: what came meanwhile was not seen.
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
                           THEN $12::timestamptz ELSE c.synced_at END
     FROM before b
    WHERE c.network = b.network AND c.height = b.height AND c.hash = b.hash
   RETURNING b.synced_at AS "syncedBefore", c.synced_at > b.synced_at AS synced,
             (extract(epoch FROM clock_timestamp() - b.synced_at) * 1000)::float8 AS "unseenMs",
             (extract(epoch FROM c.synced_at - b.synced_at) * 1000)::float8 AS "unsyncedMs",
             b.safe_height <> c.safe_height OR b.finalized_height <> c.finalized_height OR b.node_height <> b.height AS deeper,
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

/** Those below $4 are of use no more. */
export const KEEP_BLOCKS = writeStatement(
  'chains-keep-blocks',
  `WITH dropped AS (
     DELETE FROM chain_block WHERE network = $1 AND height < $4
   )
   INSERT INTO chain_block (network, height, hash)
   SELECT $1, height, hash FROM unnest($2::bigint[], $3::text[]) AS b (height, hash)
   ON CONFLICT (network, height) DO UPDATE SET hash = excluded.hash, recorded_at = clock_timestamp()`,
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
  'SELECT height, hash FROM chain_block WHERE network = $1 AND height <= $2 ORDER BY height DESC LIMIT $3',
);

export const BLOCKS_AT = statement(
  'chains-blocks-at',
  'SELECT height, hash FROM chain_block WHERE network = $1 AND height = ANY ($2)',
);
