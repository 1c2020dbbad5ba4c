import { statement } from '../../../database/statement.js';
import { ORPHANS_WATCHED, WAKE } from './ledger.sql.js';

/** What is in no block and may still come into one, or be proven impossible by one. */
export const OUTSTANDING = statement(
  'chains_outstanding',
  `SELECT id, txid, state, coalesce(spends, '{}') AS spends FROM transfer
    WHERE network = $1 AND block_height IS NULL AND NOT final AND state IN ('mempool', 'orphaned')
      AND (missing_since IS NULL OR missing_since > clock_timestamp() - ${ORPHANS_WATCHED})`,
);

/** Outpoints are joined by commas, because PostgreSQL's unnest would flatten an array of arrays. */
export const NOTE_SPENDS = statement(
  'chains_note_spends',
  `UPDATE transfer t SET spends = string_to_array(f.spends, ','), conflict_block = NULL
     FROM unnest($2::text[], $3::text[]) AS f (txid, spends)
    WHERE t.network = $1 AND t.txid = f.txid`,
);

/** A transfer in a block stays there: only a reorganisation takes it out. */
export const WRITE_WAITING = statement(
  'chains_write_waiting',
  `WITH woken AS (
     INSERT INTO transfer (network, family, id, txid, output, asset, address, subject, amount_atoms, state)
     SELECT $1, $2, f.*, 'mempool'
       FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::numeric[])
            AS f (id, txid, output, asset, address, subject, amount_atoms)
     ON CONFLICT (network, txid, output) DO UPDATE SET state = 'mempool', missing_since = NULL
      WHERE transfer.state <> 'included'
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS written FROM woken`,
);

/** $1 left the mempool, $2 are in it again. */
export const MEMPOOL_CHANGED = statement(
  'chains_mempool_changed',
  `WITH woken AS (
     UPDATE transfer
        SET state = CASE WHEN id = ANY ($1) THEN 'orphaned' ELSE 'mempool' END,
            missing_since = CASE WHEN id = ANY ($1) THEN clock_timestamp() END
      WHERE (id = ANY ($1) AND state = 'mempool') OR (id = ANY ($2) AND state = 'orphaned')
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS changed FROM woken`,
);

/**
 * A transaction that spends the same output as another one and pays the same address is the same payment, sent
 * again: it takes the place of the other, and was seen when the other was. Both counting, even for the grace time,
 * would be crediting one payment twice.
 */
export const SUPERSEDE = statement(
  'chains_supersede',
  `WITH pair AS (
     SELECT w.id AS winner, l.id AS loser, l.first_seen_at
       FROM transfer w
       JOIN transfer l ON l.network = w.network AND l.subject = w.subject AND l.address = w.address
                      AND l.txid <> w.txid AND l.spends && w.spends AND l.state <> 'included'
      WHERE w.network = $1 AND w.txid = ANY ($2) AND w.state IN ('mempool', 'included')
   ), inherited AS (
     UPDATE transfer t SET first_seen_at = least(t.first_seen_at, p.seen_at)
       FROM (SELECT winner, min(first_seen_at) AS seen_at FROM pair GROUP BY winner) p
      WHERE t.id = p.winner
   ), woken AS (
     UPDATE transfer SET state = 'replaced', missing_since = NULL
      WHERE id IN (SELECT loser FROM pair) AND state <> 'replaced'
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS superseded FROM woken`,
);

export const NOTE_CONFLICTS = statement(
  'chains_note_conflicts',
  `WITH woken AS (
     UPDATE transfer t
        SET state = 'orphaned', missing_since = coalesce(t.missing_since, clock_timestamp()), conflict_block = f.block
       FROM unnest($1::text[], $2::text[]) AS f (id, block)
      WHERE t.id = f.id AND t.state IN ('mempool', 'orphaned')
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS conflicts FROM woken`,
);

/** $2: the height that has the confirmation depth. A block that was reorganised away is no longer in chain_block. */
export const REPLACE_CONFLICTED = statement(
  'chains_replace_conflicted',
  `WITH woken AS (
     UPDATE transfer t SET state = 'replaced', missing_since = NULL
       FROM chain_block b
      WHERE t.network = $1 AND t.block_height IS NULL AND NOT t.final AND t.state = 'orphaned'
        AND b.network = t.network AND b.hash = t.conflict_block AND b.height <= $2
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS replaced FROM woken`,
);
