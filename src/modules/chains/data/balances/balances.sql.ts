import { NOW_ONCE } from '../../../../database/clock.js';
import { anyOf, statement } from '../../../../database/statement.js';
import { ISSUERS } from '../addresses/issuers.sql.js';
import { writeStatement } from '../fenced.statement.js';

/** A window is 15 minutes, and a little more for the withdrawal that was sent at its end. */
const HAS_OPEN_WINDOW = `created_at > ${NOW_ONCE} - interval '20 minutes'`;

const NEWEST_OF = (issuer: string) => `
             (SELECT address, subject, created_at, passed, derivation_index, destination_id FROM address
               WHERE ${issuer} = k.id AND created_at > ${NOW_ONCE} - interval '24 hours'
                 AND NOT coin_left ? $1::text
               ORDER BY created_at DESC, derivation_index DESC, address LIMIT $3 + 1)`;

/**
 * The addresses of a family ($2) whose balances a step compares on a network ($1): the newest. An intent's window is 15
 * minutes: those come first. A day more is for withdrawals that an exchange held back. $3 is what one step can ask;
 * merchants take turns, so that nobody's crowd pushes out the addresses of others. No two of them rank alike, or each
 * step would look at others anew. What was once left to the comparison stays there.
 */
export const WATCHED = `
  SELECT address, subject, created_at, passed, destination_id IS NOT NULL AS is_forwarder, count(*) OVER ()::int AS candidates
    FROM (SELECT n.*, row_number() OVER (PARTITION BY k.merchant_id
                                         ORDER BY n.created_at DESC, n.derivation_index DESC, n.address) AS turn
            FROM ${ISSUERS} k
           CROSS JOIN LATERAL (${NEWEST_OF('extended_key_id')} UNION ALL ${NEWEST_OF('destination_id')}) n
           WHERE k.family = $2) p
   ORDER BY (${HAS_OPEN_WINDOW}) DESC, turn, address
   LIMIT $3`;

/** Whether addresses with open windows are among those that a step ($1: so many) leaves out, of the cursor's (c) network. */
export const IS_CROWDED = `
  c.coin_unwatched > 0 AND (
    (SELECT count(*) FROM (SELECT FROM address WHERE family = 'evm' AND ${HAS_OPEN_WINDOW} LIMIT $1::int + 1) o) > $1::int
    OR EXISTS (SELECT FROM address WHERE family = 'evm' AND ${HAS_OPEN_WINDOW} AND coin_left <> '{}' AND coin_left ? c.network))`;

/**
 * Whether the next address of a merchant ($1) would leave addresses of its own without a look on a network ($2) that has
 * room for $3: merchants take turns, so that one has its share whatever the others issue. What was left to the comparison
 * stays there.
 */
export const IS_CROWDED_OUT = statement(
  'chains-is-crowded-out',
  `WITH open AS (
     SELECT k.merchant_id, count(*) AS addresses, bool_or(a.coin_left ? $2) AS is_left
       FROM address a JOIN ${ISSUERS} k ON k.id = coalesce(a.extended_key_id, a.destination_id)
      WHERE a.family = 'evm' AND a.${HAS_OPEN_WINDOW}
      GROUP BY k.merchant_id
   ), own AS (
     SELECT coalesce(max(addresses), 0) + 1 AS addresses, coalesce(bool_or(is_left), false) AS is_left
       FROM open WHERE merchant_id = $1
   )
   SELECT own.is_left OR own.addresses + (SELECT coalesce(sum(least(o.addresses, own.addresses)), 0) FROM open o
                                           WHERE o.merchant_id <> $1) > $3::int AS out
     FROM own`,
);

/** Of transfers in blocks: those of the network's coin are told by their output. */
const IS_COIN = `output NOT LIKE 'log:%' AND output NOT LIKE 'token:%' AND state = 'included'`;

/**
 * The same with what their balance in the network's coin should be made of.
 *
 * The reference is the last block in which nobody can have been told of the address: the watcher had passed it then, or
 * it is where the coin's watch began.
 *
 * Not prepared: a plan that was made while there were few transfers reads all of them for each address, until somebody
 * has counted them.
 */
export const WATCHED_BALANCES = `
   WITH watched AS (${WATCHED}), beyond AS (
     SELECT greatest(0, coalesce((SELECT max(candidates) FROM watched), 0) - $3)
            + (SELECT count(*) FROM address
                WHERE family = $2 AND created_at > ${NOW_ONCE} - interval '24 hours' AND coin_left <> '{}'
                  AND coin_left ? $1::text) AS addresses
   )
   SELECT a.address, a.subject, a.is_forwarder AS "isForwarder", b.unexplained_atoms AS "unexplainedAtoms",
          b.height AS "baselineHeight", coalesce(t.known_atoms, 0) AS "knownAtoms",
          coalesce(t.before_atoms, 0) AS "knownBeforeAtoms", r.height AS "referenceHeight", r.hash AS "referenceHash",
          y.addresses::int AS unwatched
     FROM beyond y LEFT JOIN watched a ON true
     LEFT JOIN LATERAL (SELECT unexplained_atoms, height FROM coin_baseline
                         WHERE network = $1 AND address = a.address ORDER BY height DESC LIMIT 1) b ON true
     LEFT JOIN LATERAL (SELECT height, hash FROM chain_block
                         WHERE b.unexplained_atoms IS NULL AND network = $1
                           AND (coalesce(height <= (a.passed->>$1::text)::bigint, recorded_at < a.created_at)
                                OR height <= (SELECT from_height FROM cursor_asset
                                               WHERE network = $1 AND asset_key = 'native'))
                         ORDER BY height DESC LIMIT 1) r ON true
     LEFT JOIN LATERAL (SELECT sum(amount_atoms) AS known_atoms,
                               sum(amount_atoms) FILTER (WHERE block_height <= r.height) AS before_atoms FROM transfer
                         WHERE subject = a.subject AND network = $1 AND address = a.address
                           AND ${IS_COIN}) t ON true`;

/**
 * Those of these addresses ($4) that the watcher leaves to the comparison. What does not fit is only looked for where
 * something did not.
 */
export const UNWATCHED = statement(
  'chains-unwatched',
  `SELECT a.address FROM address a JOIN chain_cursor c ON c.network = $1
    WHERE a.family = $2 AND a.address = ${anyOf('$4')}
      AND (a.created_at <= clock_timestamp() - interval '24 hours'
           OR c.coin_unwatched > 0 AND a.address NOT IN (SELECT address FROM (${WATCHED}) w))`,
);

export const COIN_MOVEMENTS = statement(
  'chains-coin-movements',
  `SELECT address, block_height AS height, sum(amount_atoms) AS atoms FROM transfer
    WHERE network = $1 AND subject = ANY ($2) AND address = ANY ($3) AND block_height > $4 AND ${IS_COIN}
    GROUP BY address, block_height`,
);

export const PASSED = statement(
  'chains-passed',
  'SELECT height, hash, spenders FROM chain_block WHERE network = $1 AND height > $2',
);

/** $2, $3: block by block one of the addresses that sent there. */
export const REMEMBER_SPENDERS = writeStatement(
  'chains-remember-spenders',
  `UPDATE chain_block b SET spenders = f.addresses
     FROM (SELECT height, array_agg(address) AS addresses FROM unnest($2::bigint[], $3::text[]) AS g (height, address)
            GROUP BY height) f
    WHERE b.network = $1 AND b.height = f.height`,
);

/** Up to which block ($2) it was looked into what addresses hold, where not to the last, and how many are not asked about. */
export const OBSERVE_SIGHT = writeStatement(
  'chains-observe-sight',
  `UPDATE chain_cursor SET coin_blind_from = $2, coin_unwatched = $3 WHERE network = $1`,
);

export const WRITE_BASELINES = writeStatement(
  'chains-write-baselines',
  `INSERT INTO coin_baseline (network, address, height, hash, unexplained_atoms)
   SELECT $1, address, height, hash, atoms
     FROM unnest($2::text[], $3::bigint[], $4::text[], $5::numeric[]) AS f (address, height, hash, atoms)
   ON CONFLICT (network, address, height)
   DO UPDATE SET hash = excluded.hash, unexplained_atoms = excluded.unexplained_atoms`,
);

export const DROP_BASELINES = writeStatement(
  'chains-drop-baselines',
  'DELETE FROM coin_baseline WHERE network = $1 AND height > $2',
);
