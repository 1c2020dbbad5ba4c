import { statement } from '../../../database/statement.js';
import { isOwnSql, ISSUERS } from './addresses/issuers.sql.js';
import { WATCHED } from './balances/balances.sql.js';
import { decidesUpTo } from './conflict-depth.sql.js';
import { MOST_CHANGED, writeStatement } from './fenced.statement.js';
import { COLLECTED, INCLUDED, rowsFrom } from './movement-columns.sql.js';

/** In the block of a row that is there already nothing is new; a reorganisation has removed all others. */
export const WRITE_COLLECTIONS = writeStatement(
  'chains-write-collections',
  `INSERT INTO collection (network, txid, output, asset, address, amount_atoms, block_height, block_hash, block_time)
   SELECT $1, f.* FROM ${rowsFrom(2, COLLECTED)} ON CONFLICT (network, txid, output) DO NOTHING`,
);

/** changed_at stays that of the oldest change, so that a subject which changes at every block gets its turn. */
export const WAKE = `
  INSERT INTO fact_change (subject)
  SELECT DISTINCT subject FROM woken ORDER BY subject -- in one order everywhere, or two watchers deadlock
  ON CONFLICT (subject) DO UPDATE SET version = pg_current_xact_id()::text::bigint`;

/**
 * Whether the money of `f` came from an address of the same merchant. $2: the family. Payers are joined by commas, because
 * PostgreSQL's unnest would flatten an array of arrays.
 */
export const IS_OWN = `EXISTS (
       SELECT FROM address a JOIN ${ISSUERS} k ON k.id = coalesce(a.extended_key_id, a.destination_id),
                   unnest(string_to_array(f.payers, ',')) AS payer
        WHERE a.family = $2 AND a.address = f.address AND ${isOwnSql('k.merchant_id', 'payer')})`;

/**
 * Whether the money of `f` stands in a block that the watcher had passed when its address was issued: nobody can have
 * sent it to whom the address was given. By the block's own time, with what headers may be wrong by, where it is not
 * known how far the watcher was. In whichever block its transaction comes back, it was sent before.
 */
const IS_BEFORE_ISSUE = `(EXISTS (
       SELECT FROM address a
        WHERE a.family = $2 AND a.address = f.address
          AND coalesce(f.block_height <= (a.passed->>$1::text)::bigint,
                       f.block_time < a.created_at - interval '3 hours'))
       OR EXISTS (SELECT FROM transfer e
                   WHERE e.network = $1 AND e.txid = f.txid AND e.address = f.address AND e.before_issue))`;

/**
 * Writes movements in blocks, `f`, for the watcher and for the comparison alike. What a transaction pays again after a
 * reorganisation comes back to its row; what it pays otherwise than before is a row of its own (`RIVALS` says what becomes
 * of the former ones). A block keeps the time that was first told of it: its hash stands for it, and the database refuses another.
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
          block_time = CASE WHEN transfer.block_hash = excluded.block_hash THEN transfer.block_time ELSE excluded.block_time END,
          missing_since = NULL, final = false, sender = excluded.sender,
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

/**
 * Whether a transfer of the network $1 is not missing for so long (SQL, an interval): by the clock of whoever watches, which
 * stands while nobody sees the network. The same rule as `mayBeThere` of intents.
 */
export const missingForLessThan = (interval: string) => `(missing_since IS NULL OR
       missing_since > coalesce((SELECT c.synced_at FROM chain_cursor c WHERE c.network = $1), '-infinity') - ${interval})`;

/** How long the subject of a missing transfer is still woken: past every grace time, far from for ever. */
export const IS_WATCHED_FOR = missingForLessThan(`interval '25 hours'`);

/** $2: up to here blocks are final, and deeper than anybody counts. Finality may stand still for hours, and then jump. */
const SOME_ARE_FINAL = `
     UPDATE transfer SET final = true
      WHERE id = ANY (ARRAY (
        SELECT id FROM transfer WHERE network = $1 AND NOT final AND state = 'included' AND block_height <= $2
         ORDER BY block_height LIMIT ${MOST_CHANGED}))
     RETURNING id`;

/**
 * Another block on top changes the depth of everything that is not done yet, and what is in no block waits for time: news
 * to all of whom it does not rest in a block (ADR 92). $3: the transactions that the same step wrote, of which nothing rests: what
 * they brought back was missing a moment ago, and may be decided as that right now.
 * The snapshot is from before the update, so that what becomes final here, or right after, is told once more.
 */
export const DEEPEN = writeStatement(
  'chains-deepen',
  `WITH made AS (${SOME_ARE_FINAL}
   ), woken AS (
     SELECT t.subject, t.state FROM transfer t
      WHERE t.network = $1 AND NOT t.final AND t.state <> 'replaced'
        AND ${IS_WATCHED_FOR}
        AND (t.txid = ANY ($3) OR NOT EXISTS (
              SELECT FROM fact_rest r WHERE r.subject = t.subject AND r.transfer_id = t.id AND t.state = 'included'))
   ), changes AS (${WAKE})
   SELECT coalesce(bool_or(state = 'orphaned'), false) AS orphans, (SELECT count(*)::int FROM made) AS rows FROM woken`,
);

/** What `DEEPEN` has left of what is final. */
export const MAKE_FINAL = writeStatement(
  'chains-make-final',
  `WITH made AS (${SOME_ARE_FINAL}
   )
   SELECT count(*)::int AS rows FROM made`,
);

/** Of a row of `fact_rest`: what is final wakes nobody any more, whether it rests or not. */
export const RESTS_FOR_GOOD = 'EXISTS (SELECT FROM transfer t WHERE t.id = transfer_id AND t.final)';

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

/**
 * Each with the block in which its own transaction pays the same address otherwise, where it does. Paying it nothing is
 * no such sign: coin may be there all the same and not be seen yet. $2: the network's confirmation depth.
 */
export const ORPHANS = statement(
  'chains-orphans',
  `SELECT t.id, t.txid, t.sender, t.nonce, a.height AS "againHeight", ${decidesUpTo('$2::text')} AS "decidedHeight"
     FROM transfer t CROSS JOIN LATERAL (
       SELECT min(w.block_height) AS height FROM transfer w
        WHERE w.network = t.network AND w.txid = t.txid AND w.address = t.address AND w.asset = t.asset
          AND w.state = 'included' AND t.superseded) a
    WHERE t.network = $1 AND NOT t.final AND t.state = 'orphaned' AND (t.nonce IS NOT NULL OR a.height IS NOT NULL)
      AND t.missing_since IS NOT NULL AND ${IS_WATCHED_FOR}`,
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
