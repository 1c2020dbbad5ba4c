import { statement } from '../../../database/statement.js';
import { writeStatement } from './fenced.statement.js';
import { missingForLessThan, WAKE } from './movements.sql.js';

/** Live until this very moment, and never taken the place of before. Only such money hands its time on. */
const HANDS_ON = `NOT own AND NOT before_issue AND replaced_by IS NULL AND ${missingForLessThan('make_interval(secs => $3)')}`;

/** What a transfer is known by: its transaction, or a balance, which does not say from which transaction it is. */
const KIND = `CASE WHEN output LIKE 'balance:%' THEN 'balance' WHEN output LIKE 'call:%' THEN 'call' ELSE 'transaction' END`;

/** What all transfers of a transaction to one address share. */
const SHARED = `subject, address, asset, txid, spends, sender, nonce, ${KIND}`;

/**
 * Of these, at most one is true. They spend one coin, or use up one nonce; or a balance told of both: it does not say
 * which transaction it is from, so what it tells of now may be what a reorganisation took away, from another block
 * ("balance:…"), or told by traces then and not now ("call:…").
 */
const EXCLUDE_EACH_OTHER = `
       (l.txid <> w.txid AND (l.spends && w.spends OR (l.sender = w.sender AND l.nonce = w.nonce)))
    OR (l.txid = w.txid AND l.is_orphaned)
    OR (l.is_orphaned AND ((l.kind = 'balance' AND w.kind IN ('balance', 'call'))
                           OR (l.kind = 'call' AND w.kind = 'balance')))`;

/**
 * What the transactions $2 take the place of: each loser once, with the first of them that it is excluded by, or without
 * a winner where its own transaction is back and does not pay this any more. Transactions are held against each other,
 * not their transfers: whoever pays one address a thousand times in one does not make a million pairs.
 * $3: seconds for which money that is missing still counts. $4: where the transactions were not read whole, only what they
 * pay to these addresses.
 */
export const RIVALS = statement(
  'chains-rivals',
  `WITH winner AS (
     SELECT ${SHARED} AS kind, min(observed_at) AS at FROM transfer
      WHERE network = $1 AND txid = ANY ($2) AND state IN ('mempool', 'included')
      GROUP BY ${SHARED}
   ), loser AS (
     SELECT row_number() OVER () AS n, l.* FROM (
       SELECT ${SHARED} AS kind, state = 'orphaned' AS is_orphaned, ${HANDS_ON} AS hands_on, array_agg(id) AS ids
         FROM transfer JOIN (SELECT DISTINCT subject, address, asset FROM winner) place USING (subject, address, asset)
        WHERE network = $1 AND state IN ('mempool', 'orphaned') AND NOT superseded
          AND block_height IS NULL AND NOT final -- which they are all: found through the index of what is not done
        GROUP BY ${SHARED}, is_orphaned, hands_on
     ) l
   ), beaten AS (
     SELECT DISTINCT ON (l.n) l.ids, l.hands_on, l.subject, l.address, l.asset, w.txid
       FROM loser l JOIN winner w ON l.subject = w.subject AND l.address = w.address AND l.asset = w.asset
                                 AND (${EXCLUDE_EACH_OTHER})
      ORDER BY l.n, w.at, w.txid
   ), lost AS (
     SELECT unnest(ids) AS id, txid, hands_on, subject, address, asset, 0 AS rank FROM beaten
     UNION ALL
     SELECT id, txid, false, subject, address, asset, 1 FROM transfer
      WHERE network = $1 AND txid = ANY ($2) AND state = 'orphaned' AND family = 'evm' AND NOT superseded
        AND ($4::text[] IS NULL OR address = ANY ($4))
   )
   SELECT DISTINCT ON (id) id, txid, hands_on AS "handsOn", subject, address, asset FROM lost ORDER BY id, rank`,
);

/** All that the transactions pay to the places comes in the place of others: for the judgement of what counts since when. */
export const INHERIT = writeStatement(
  'chains-inherit',
  `WITH heir AS (
     UPDATE transfer t SET in_place_of = t.in_place_of || r.id
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS r (id, txid, subject, address, asset)
      WHERE t.network = $1 AND t.state IN ('mempool', 'included')
        AND (t.txid, t.subject, t.address, t.asset) = (r.txid, r.subject, r.address, r.asset)
     RETURNING t.id
   )
   SELECT count(*)::int AS heirs FROM heir`,
);

/**
 * Losers are credited no more, beside what is credited in their place. That they can never come back only the depth of
 * the other says, or the end of the grace time. $3: the replacement in which they hand their time on, or null.
 */
export const SUPERSEDE = writeStatement(
  'chains-supersede',
  `WITH woken AS (
     UPDATE transfer t
        SET state = 'orphaned', superseded = true, replaced_by = f.txid,
            handed_on = CASE WHEN f.replacement IS NULL THEN t.handed_on ELSE t.handed_on || f.replacement END,
            missing_since = coalesce(t.missing_since, clock_timestamp())
       FROM unnest($1::text[], $2::text[], $3::text[]) AS f (id, txid, replacement) WHERE t.id = f.id
     RETURNING t.subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS superseded FROM woken`,
);
