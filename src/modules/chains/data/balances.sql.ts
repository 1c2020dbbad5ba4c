import { statement } from '../../../database/statement.js';
import { WAKE } from './ledger.sql.js';

/**
 * The newest addresses of a family ($2), with what their balance in the network's coin ($3) should be made of. An
 * intent's window is 15 minutes; a day more is for withdrawals that an exchange held back. $4 is what one step can ask.
 */
export const WATCHED_BALANCES = statement(
  'chains_watched_balances',
  `SELECT a.address, a.subject, b.unexplained_atoms, coalesce(t.known_atoms, 0) AS known_atoms
     FROM (SELECT address, subject FROM address
            WHERE family = $2 AND created_at > clock_timestamp() - interval '24 hours'
            ORDER BY created_at DESC LIMIT $4) a
     LEFT JOIN LATERAL (SELECT unexplained_atoms FROM coin_baseline
                         WHERE network = $1 AND address = a.address ORDER BY height DESC LIMIT 1) b ON true
     LEFT JOIN LATERAL (SELECT sum(amount_atoms) AS known_atoms FROM transfer
                         WHERE subject = a.subject AND network = $1 AND address = a.address AND asset = $3
                           AND state = 'included') t ON true`,
);

export const WRITE_BASELINES = statement(
  'chains_write_baselines',
  `INSERT INTO coin_baseline (network, address, height, unexplained_atoms)
   SELECT $1, address, height, atoms FROM unnest($2::text[], $3::bigint[], $4::numeric[]) AS f (address, height, atoms)
   ON CONFLICT (network, address, height) DO UPDATE SET unexplained_atoms = excluded.unexplained_atoms`,
);

export const DROP_BASELINES = statement(
  'chains_drop_baselines',
  'DELETE FROM coin_baseline WHERE network = $1 AND height > $2',
);

/**
 * A balance does not say which transaction it is from. What was found by balances in these blocks may be what a
 * reorganisation took away: from another block ("balance:…"), or told by traces then and not now ("call:…"). Both
 * counting, even for the grace time, would be crediting one payment twice; what is there now is what there is.
 */
export const SUPERSEDE_BALANCES = statement(
  'chains_supersede_balances',
  `WITH found AS (
     SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) AS f (txid, output, address)
   ), gone AS (
     SELECT DISTINCT t.id, t.address, t.first_seen_at
       FROM transfer t JOIN found f ON f.address = t.address
      WHERE t.network = $1 AND t.state = 'orphaned'
        AND (t.output LIKE 'balance:%' OR (t.output LIKE 'call:%' AND f.output LIKE 'balance:%'))
   ), inherited AS (
     UPDATE transfer t SET first_seen_at = least(t.first_seen_at, g.seen_at)
       FROM (SELECT address, min(first_seen_at) AS seen_at FROM gone GROUP BY address) g, found f
      WHERE t.network = $1 AND t.txid = f.txid AND t.output = f.output AND g.address = f.address
   ), woken AS (
     UPDATE transfer SET state = 'replaced', missing_since = NULL WHERE id IN (SELECT id FROM gone)
     RETURNING subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS superseded FROM woken`,
);
