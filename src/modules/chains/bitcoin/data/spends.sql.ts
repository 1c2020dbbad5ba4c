import { statement } from '../../../../database/statement.js';
import { decidesUpTo } from '../../data/conflict-depth.sql.js';
import { writeStatement } from '../../data/fenced.statement.js';
import { rowsFrom, SPENDS_ONCE, WAITING } from '../../data/movement-columns.sql.js';
import { IS_OWN, IS_WATCHED_FOR, WAKE } from '../../data/movements.sql.js';

/** What is in no block and may still come into one, or be proven impossible by one. */
export const OUTSTANDING = statement(
  'chains-outstanding',
  `SELECT id, txid, state, coalesce(${SPENDS_ONCE}, '{}') AS spends FROM transfer t
    WHERE network = $1 AND block_height IS NULL AND NOT final AND state IN ('mempool', 'orphaned')
      AND ${IS_WATCHED_FOR}`,
);

/** Outpoints are joined by commas, because PostgreSQL's unnest would flatten an array of arrays. */
export const NOTE_SPENDS = writeStatement(
  'chains-note-spends',
  `UPDATE transfer t SET spends = string_to_array(f.spends, ','), conflict_block = NULL
     FROM unnest($2::text[], $3::text[]) AS f (txid, spends)
    WHERE t.network = $1 AND t.txid = f.txid`,
);

/** A transfer in a block stays there: only a reorganisation takes it out. $3: since when we were blind. */
export const WRITE_WAITING = writeStatement(
  'chains-write-waiting',
  `WITH woken AS (
     INSERT INTO transfer (network, family, id, txid, output, asset, address, subject, amount_atoms, state,
                           blind_since, own)
     SELECT $1, $2, f.id, f.txid, f.output, f.asset, f.address, f.subject, f.amount_atoms, 'mempool',
            $3::timestamptz, ${IS_OWN}
       FROM ${rowsFrom(4, WAITING)}
     ON CONFLICT (network, txid, output, address, asset, amount_atoms) DO UPDATE
        SET state = 'mempool', missing_since = NULL, replaced_by = NULL, superseded = false
      WHERE transfer.state <> 'included'
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS written FROM woken`,
);

/** $1 left the mempool, $2 are in it again: whatever took their place did not keep it. */
export const MEMPOOL_CHANGED = writeStatement(
  'chains-mempool-changed',
  `WITH woken AS (
     UPDATE transfer
        SET state = CASE WHEN id = ANY ($1) THEN 'orphaned' ELSE 'mempool' END,
            missing_since = CASE WHEN id = ANY ($1) THEN clock_timestamp() END,
            replaced_by = CASE WHEN id = ANY ($1) THEN replaced_by END, superseded = superseded AND id = ANY ($1)
      WHERE (id = ANY ($1) AND state = 'mempool') OR (id = ANY ($2) AND state = 'orphaned')
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS changed FROM woken`,
);

/** Transfers that wait or are missing while another transaction ($2) that waits spends one of their coins ($1). */
export const NOTE_DISPLACED = writeStatement(
  'chains-note-displaced',
  `UPDATE transfer t SET replaced_by = f.txid
     FROM unnest($1::text[], $2::text[]) AS f (id, txid)
    WHERE t.id = f.id AND t.state IN ('mempool', 'orphaned') AND t.replaced_by IS NULL`,
);

export const NOTE_CONFLICTS = writeStatement(
  'chains-note-conflicts',
  `WITH woken AS (
     UPDATE transfer t
        SET state = 'orphaned', missing_since = coalesce(t.missing_since, clock_timestamp()), conflict_block = f.block,
            replaced_by = coalesce(t.replaced_by, f.txid)
       FROM unnest($1::text[], $2::text[], $3::text[]) AS f (id, block, txid)
      WHERE t.id = f.id AND t.state IN ('mempool', 'orphaned')
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS conflicts FROM woken`,
);

/** $2: the network's confirmation depth. A block that was reorganised away is no longer in chain_block. */
export const REPLACE_CONFLICTED = writeStatement(
  'chains-replace-conflicted',
  `WITH woken AS (
     UPDATE transfer t SET state = 'replaced', missing_since = NULL
       FROM chain_block b
      WHERE t.network = $1 AND t.block_height IS NULL AND NOT t.final AND t.state = 'orphaned'
        AND b.network = t.network AND b.hash = t.conflict_block
        AND b.height <= ${decidesUpTo('$2::text')}
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS replaced FROM woken`,
);
