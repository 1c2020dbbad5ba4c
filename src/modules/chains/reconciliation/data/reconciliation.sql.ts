import { statement } from '../../../../database/statement.js';
import { WATCHED } from '../../data/balances/balances.sql.js';
import { writeStatement } from '../../data/fenced.statement.js';
import type { FoundTransfer } from '../../data/ledger.types.js';
import { COLLECTED, type Column, INCLUDED, rowsFrom } from '../../data/movement-columns.sql.js';
import { insertTransfers, WAKE } from '../../data/movements.sql.js';

/**
 * As a row, that the cursor stands at a block or above it, and passed no other one there. The cursor is judged as it is
 * after whoever was moving it; which block was passed there, as the statement found it.
 */
const STANDING = (height: string, hash: string, more = 'true') => `
  SELECT FROM chain_cursor c WHERE c.network = $1 AND c.height >= ${height}::bigint AND ${more}
     AND NOT EXISTS (SELECT FROM chain_block b WHERE b.network = $1 AND b.height = ${height} AND b.hash <> ${hash})
     FOR SHARE`;

/**
 * What a part found may be written where there is a row of `comparing`: nobody has given up the block at this height since
 * the part began to compare it, and what stands there is that block. The cursor is held before the comparison's own row,
 * as by whoever gives blocks up.
 */
const COMPARING_STILL = (height: string, hash: string, more?: string) => `
  standing AS (${STANDING(height, hash, more)}
  ), comparing AS (
    SELECT FROM reconciliation r
     WHERE r.network = $1 AND r.comparing_height = ${height}::bigint AND EXISTS (SELECT FROM standing) FOR SHARE
  )`;

/** $4, $5: after this one. $6: only issued since so many hours. */
export const ADDRESSES = statement(
  'chains-reconcile-addresses',
  `SELECT address, created_at::text AS at, (extract(epoch FROM created_at) * 1000)::float8 AS "issuedAtMs"
     FROM address
    WHERE family = $1 AND ($2::timestamptz IS NULL OR (created_at, address) > ($2::timestamptz, $3::text))
      AND ($5::float8 IS NULL OR created_at > clock_timestamp() - make_interval(hours => $5::int))
    ORDER BY created_at, address LIMIT $4`,
);

/** What stands in blocks for some addresses ($3). By their subjects, which have an index. */
export const RECORDED = statement(
  'chains-reconcile-recorded',
  `SELECT t.address, t.asset, t.txid, t.output, t.block_height AS height, t.amount_atoms AS atoms,
          t.before_issue AS "isBeforeIssue"
     FROM address a JOIN transfer t ON t.subject = a.subject AND t.address = a.address
    WHERE a.family = $2 AND a.address = ANY ($3) AND t.network = $1 AND t.state = 'included'`,
);

/** Which of some addresses ($3) have no key, each with what it paid out, and whether the chain is known not to have it. */
export const PAID_OUT = statement(
  'chains-reconcile-paid-out',
  `SELECT a.address, c.asset, c.txid, c.block_height AS height, c.amount_atoms AS atoms,
          EXISTS (SELECT FROM chain_difference d
                   WHERE d.network = $1 AND d.address = c.address AND d.asset = c.asset AND d.kind = 'missing'
                     AND d.height = c.block_height AND c.txid = ANY (d.txids)) AS missing
     FROM address a LEFT JOIN collection c ON c.address = a.address AND c.network = $1
    WHERE a.family = $2 AND a.address = ANY ($3) AND a.destination_id IS NOT NULL`,
);

/** What stands in blocks from $2 to $3. */
export const RECORDED_IN = statement(
  'chains-reconcile-recorded-in',
  `SELECT address, asset, txid, output, block_height AS height, amount_atoms AS atoms,
          before_issue AS "isBeforeIssue"
     FROM transfer WHERE network = $1 AND state = 'included' AND block_height BETWEEN $2 AND $3`,
);

/** How many issued addresses there are, and since when. */
export const ISSUED = statement(
  'chains-reconcile-issued',
  `SELECT count(*)::int AS addresses, (extract(epoch FROM min(created_at)) * 1000)::float8 AS "sinceMs"
     FROM address WHERE family = $1`,
);

/**
 * Of addresses ($4), who finds coin that they hold beyond what is recorded: the comparison where the watcher is done
 * with them, or had left them before the block that is compared ($5), so that no step of it is under way that knows them.
 */
export const COIN_FINDERS = statement(
  'chains-reconcile-coin-finders',
  `WITH watched AS (${WATCHED})
   SELECT a.address, a.address IN (SELECT address FROM watched) AS watched,
          -- An hour more than it is watched: no step is under way any more that knew it.
          a.created_at <= clock_timestamp() - interval '25 hours' OR coalesce((a.coin_left->>$1::text)::bigint < $5, false)
            AS ours,
          -- While it does not see, it has yet to look at what came meanwhile.
          CASE WHEN NOT EXISTS (SELECT FROM chain_cursor c WHERE c.network = $1 AND c.coin_blind_from IS NOT NULL) THEN
            (SELECT unexplained_atoms FROM coin_baseline b WHERE b.network = $1 AND b.address = a.address
              ORDER BY height DESC LIMIT 1) END AS atoms
     FROM address a WHERE a.family = $2 AND a.address = ANY ($4)`,
);

/** From where the cursor stands the watcher does not look at these ($4) any more, unless it has room for them by now. */
export const LEAVE_COIN = writeStatement(
  'chains-reconcile-leave-coin',
  `WITH watched AS (${WATCHED})
   UPDATE address a SET coin_left = a.coin_left || jsonb_build_object($1::text, c.height)
     FROM chain_cursor c
    WHERE c.network = $1 AND a.family = $2 AND a.address = ANY ($4) AND NOT a.coin_left ? $1::text
      AND NOT EXISTS (SELECT FROM watched w WHERE w.address = a.address)`,
);

/**
 * What was appended explains so much more of a balance: from the block ($4, $5) at which it was compared, and of what is
 * known of later ones. A baseline of an earlier block knows nothing of it, and must not: it would outlive the money if its
 * blocks were given up.
 */
export const LOWER_BASELINES = writeStatement(
  'chains-reconcile-lower-baselines',
  `WITH f AS (
     SELECT address, sum(atoms) AS atoms FROM unnest($2::text[], $3::numeric[]) AS g (address, atoms) GROUP BY address
   ), later AS (
     UPDATE coin_baseline b SET unexplained_atoms = b.unexplained_atoms - f.atoms
       FROM f WHERE b.network = $1 AND b.address = f.address AND b.height > $4
   )
   INSERT INTO coin_baseline (network, address, height, hash, unexplained_atoms)
   SELECT $1, f.address, $4, $5, b.unexplained_atoms - f.atoms
     FROM f CROSS JOIN LATERAL (
       SELECT unexplained_atoms FROM coin_baseline WHERE network = $1 AND address = f.address AND height <= $4
        ORDER BY height DESC LIMIT 1) b
   ON CONFLICT (network, address, height)
   DO UPDATE SET hash = excluded.hash, unexplained_atoms = excluded.unexplained_atoms`,
);

/**
 * Keys of a family ($1) with the indexes that they have not issued: from $4 before the next one to $2 past it, and those
 * at which money was found earlier.
 */
export const UNISSUED = statement(
  'chains-reconcile-unissued',
  `SELECT k.id, k.xpub, k.next_index AS "nextIndex",
          ARRAY (SELECT i FROM (
                   SELECT generate_series(greatest(k.first_index, k.next_index - $4::int), k.next_index + $2 - 1) AS i
                    UNION SELECT key_index FROM chain_difference WHERE key_id = k.id AND kind = 'unissued') near
                  WHERE NOT EXISTS (SELECT FROM address a WHERE a.extended_key_id = k.id AND a.derivation_index = i)
                  ORDER BY i) AS indexes
     FROM extended_key k WHERE k.family = $1 AND k.id > $3 ORDER BY k.id LIMIT $5`,
);

/** Of some addresses ($2): those that somebody has named. What lies there says nothing about whom they were issued to. */
export const NAMED = statement(
  'chains-reconcile-named',
  'SELECT address FROM named_address WHERE family = $1 AND address = ANY ($2)',
);

/** An address that has been used is never issued. */
export const PASS_INDEX = writeStatement(
  'chains-reconcile-pass-index',
  'UPDATE extended_key SET next_index = $2::int + 1 WHERE id = $1 AND next_index <= $2::int',
);

/** A movement with the outputs that its transaction spends, where the chain tells. */
export interface Appended extends FoundTransfer {
  readonly spends: readonly string[] | null;
}

export const APPENDED: readonly Column<Appended>[] = [
  ...INCLUDED,
  { name: 'spends', type: 'text', of: ({ spends }) => spends?.join(',') ?? null },
];

/**
 * What the watcher would have written, with the same key, and in places where it has written nothing: whoever comes
 * second changes nothing. Only while the cursor stands above ($3), so that no block is told of that a reorganisation is
 * giving up, and while the block that is compared ($4, $5) is still that. Nobody looked for these movements when their blocks were read, so the blocks' own time is all there is: our
 * own fault makes nobody late.
 */
export const APPEND = writeStatement(
  'chains-reconcile-append',
  `WITH ${COMPARING_STILL('$4', '$5', 'c.height >= $3')}, f AS (
     SELECT * FROM ${rowsFrom(6, APPENDED)}
      WHERE EXISTS (SELECT FROM comparing)
        -- Of another fork than the one that was passed: the node contradicts itself.
        AND NOT EXISTS (SELECT FROM chain_block b WHERE b.network = $1 AND b.height = f.block_height AND b.hash <> f.block_hash)
   ), woken AS (
     ${insertTransfers({
       spends: `string_to_array(f.spends, ',')`,
       blindSince: `'epoch'::timestamptz`,
       only: `NOT EXISTS (SELECT FROM transfer t WHERE t.network = $1 AND t.txid = f.txid AND t.output = f.output
                             AND t.state = 'included')`,
     })}
     RETURNING subject, address, asset, amount_atoms, txid
   ), changes AS (${WAKE})
   SELECT address, asset, amount_atoms AS atoms, txid FROM woken`,
);

/**
 * Collections as the watcher would have written them, with the same key: whoever comes second changes nothing. Only while
 * the cursor stands above ($2) and the block that is compared ($3, $4) is still that, and in no block of another fork than
 * the one that was passed, as for `APPEND`.
 */
export const APPEND_COLLECTIONS = writeStatement(
  'chains-reconcile-append-collections',
  `WITH ${COMPARING_STILL('$3', '$4', 'c.height >= $2')}
   INSERT INTO collection (network, txid, output, asset, address, amount_atoms, block_height, block_hash, block_time)
   SELECT $1, f.* FROM ${rowsFrom(5, COLLECTED)}
    WHERE EXISTS (SELECT FROM comparing)
      AND NOT EXISTS (SELECT FROM chain_block b WHERE b.network = $1 AND b.height = f.block_height AND b.hash <> f.block_hash)
   ON CONFLICT (network, txid, output) DO NOTHING
   RETURNING txid`,
);

/**
 * A difference whose address or block nobody will look at again: movements that have been recorded since as the chain has
 * them (where all their transactions are named), and an index that has been issued since.
 */
const ANSWERED = `
  CASE d.kind
    WHEN 'unrecorded' THEN cardinality(d.txids) BETWEEN 1 AND 19 AND d.chain_atoms =
      (SELECT sum(t.amount_atoms) FROM transfer t
        WHERE t.network = d.network AND t.txid = ANY (d.txids) AND t.address = d.address AND t.asset = d.asset
          AND t.state = 'included')
    WHEN 'unissued' THEN EXISTS (SELECT FROM address a WHERE a.extended_key_id = d.key_id AND a.derivation_index = d.key_index)
    ELSE false END`;

/** What no transaction tells is of a balance: those of $16 were judged, of the asset $17 alone where there is one. */
const LOOKED_AT = `
  CASE WHEN d.kind = 'unissued' THEN coalesce(d.address = ANY ($2), false)
       WHEN d.txids = '{}' THEN coalesce(d.address = ANY ($16::text[]) AND ($17::text IS NULL OR d.asset = $17), false)
       ELSE ($3::bigint IS NULL OR d.height BETWEEN $3 AND $4) AND ($2::text[] IS NULL OR d.address = ANY ($2)) END`;

/**
 * Differences that were looked for ($2: at these addresses, $3 to $4: in these blocks) and not found again are over, and
 * those that were answered elsewhere. What was mended at once stands for some minutes all the same, so that somebody is
 * told of it. Only while the block that is compared ($14, $15) is still that; a row says so.
 */
export const SETTLE = writeStatement(
  'chains-reconcile-settle',
  `WITH ${COMPARING_STILL('$14', '$15')}, f AS (
     SELECT * FROM unnest($5::text[], $6::text[], $7::text[], $8::numeric[], $9::numeric[], $10::bigint[], $11::text[],
                          $12::text[], $13::int[])
          AS f (address, asset, kind, chain_atoms, recorded_atoms, height, txids, key_id, key_index)
      WHERE EXISTS (SELECT FROM comparing)
   ), over AS (
     DELETE FROM chain_difference d
      WHERE d.network = $1 AND d.seen_at < clock_timestamp() - interval '5 minutes' AND EXISTS (SELECT FROM comparing)
        AND (${LOOKED_AT} OR ${ANSWERED})
        AND NOT EXISTS (SELECT FROM f WHERE f.address = d.address AND f.asset = d.asset AND f.kind = d.kind
                           AND f.height = d.height)
   ), found AS (
   INSERT INTO chain_difference AS d (network, address, asset, kind, chain_atoms, recorded_atoms, height, txids,
                                      key_id, key_index)
   SELECT $1, address, asset, kind, chain_atoms, recorded_atoms, height, string_to_array(txids, ','), key_id, key_index
     FROM f
   ON CONFLICT (network, address, asset, kind, height) DO UPDATE
      SET chain_atoms = excluded.chain_atoms, recorded_atoms = excluded.recorded_atoms, txids = excluded.txids,
             seen_at = clock_timestamp()
   )
   SELECT 1 AS comparing FROM comparing`,
);

export const DIFFERENCES = statement(
  'chains-reconcile-differences',
  `SELECT network, address, asset, kind, chain_atoms AS "chainAtoms", recorded_atoms AS "recordedAtoms", height, txids,
          key_id AS "keyId", key_index AS "keyIndex"
     FROM chain_difference WHERE network = $1 ORDER BY found_at, address LIMIT $2`,
);

/**
 * One instance at a time, by the database's clock. Where a round is by blocks, one a month reads them all again: for rows
 * that were lost, and for what came to an address before it was issued.
 */
export const CLAIM = statement(
  'chains-reconcile-claim',
  `INSERT INTO reconciliation AS r (network, term, leased_until)
   VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
   ON CONFLICT (network) DO UPDATE SET term = excluded.term, leased_until = excluded.leased_until
    WHERE r.term = excluded.term OR r.leased_until < clock_timestamp()
   RETURNING position, CASE WHEN whole_at > clock_timestamp() - interval '30 days' THEN compared_height END AS "comparedTo",
             coalesce(recent_at < clock_timestamp() - make_interval(secs => $4), true) AS "isRecentDue",
             position IS NOT NULL OR coalesce(round_started_at < clock_timestamp() - make_interval(secs => $5), true)
               AS "isRoundDue"`,
);

/** What a part is going to compare ($3, $4). Of the claim, and where that block has not been given up meanwhile. */
export const COMPARING = statement(
  'chains-reconcile-comparing',
  `WITH standing AS (${STANDING('$3', '$4')})
   UPDATE reconciliation SET comparing_height = $3
    WHERE network = $1 AND term = $2 AND EXISTS (SELECT FROM standing) RETURNING network`,
);

export const PROGRESS = statement(
  'chains-reconcile-progress',
  `UPDATE reconciliation
      SET position = $3::jsonb,
          round_started_at = CASE WHEN $4 THEN clock_timestamp() ELSE round_started_at END,
          whole_at = CASE WHEN $8 THEN clock_timestamp() ELSE whole_at END,
          compared = CASE WHEN $4 THEN 0 ELSE compared END + $5,
          incomparable = CASE WHEN $4 THEN 0 ELSE incomparable END + $6,
          requests = CASE WHEN $4 THEN 0 ELSE requests END + $7
    WHERE network = $1 AND term = $2`,
);

export const FINISHED = statement(
  'chains-reconcile-finished',
  `UPDATE reconciliation r
      SET finished_at = clock_timestamp(), last_compared = compared, last_incomparable = incomparable,
          last_duration_s = extract(epoch FROM clock_timestamp() - round_started_at),
          -- A difference is over when its block is read again. What no look has found since the end of the last round is in
          -- a block that was not read.
          compared_height = CASE WHEN $3::bigint IS NOT NULL THEN
            least($3::bigint, (SELECT min(d.height) - 1 FROM chain_difference d
                                WHERE d.network = $1 AND d.kind <> 'unissued'
                                  AND d.seen_at >= coalesce(r.finished_at, '-infinity'))) END
    WHERE network = $1 AND term = $2`,
);

export const RECENT_DONE = statement(
  'chains-reconcile-recent-done',
  'UPDATE reconciliation SET recent_at = clock_timestamp() WHERE network = $1 AND term = $2',
);

export const STANDINGS = statement(
  'chains-reconcile-standings',
  `SELECT r.network, r.finished_at AS "finishedAt", r.last_duration_s AS "lastDurationS", r.last_compared AS "lastCompared",
          r.last_incomparable AS "lastIncomparable", r.compared, r.requests,
          (SELECT count(*)::int FROM chain_difference d WHERE d.network = r.network) AS differences
     FROM reconciliation r`,
);

/** How far the watcher is, and what it holds for final. */
export const TIP = statement(
  'chains-reconcile-tip',
  'SELECT height, finalized_height AS "finalizedHeight" FROM chain_cursor WHERE network = $1',
);
