import { statement } from '../../../database/statement.js';
import { writeStatement } from './fenced.js';
import { WAKE } from './ledger.sql.js';

/** `bequeaths`: live until this very moment, and never taken the place of before. Only such money hands its time on. */
const LOSER = `l.id AS loser_id,
          NOT l.own AND NOT l.before_issue AND l.replaced_by IS NULL
            AND (l.missing_since IS NULL OR l.missing_since > clock_timestamp() - make_interval(secs => $3)) AS bequeaths`;

/**
 * Of these, at most one is true. They spend one coin, or use up one nonce; or a balance told of both: it does not say
 * which transaction it is from, so what it tells of now may be what a reorganisation took away, from another block
 * ("balance:…"), or told by traces then and not now ("call:…").
 */
const EXCLUDE_EACH_OTHER = `
       (l.txid <> w.txid AND (l.spends && w.spends OR (l.sender = w.sender AND l.nonce = w.nonce)))
    OR (l.txid = w.txid AND l.state = 'orphaned')
    OR (l.state = 'orphaned' AND ((l.output LIKE 'balance:%' AND (w.output LIKE 'balance:%' OR w.output LIKE 'call:%'))
                               OR (l.output LIKE 'call:%' AND w.output LIKE 'balance:%')))`;

/**
 * What the transactions $2 take the place of. A transaction that is included again may pay in other places, in the same
 * ones other amounts, or elsewhere: then there is no winner. $3: seconds for which money that is missing still counts. $4: where the
 * transactions were not read whole, only what they pay to these addresses.
 */
export const RIVALS = statement(
  'chains_rivals',
  `SELECT ${LOSER}, w.id AS winner_id, w.txid AS winner_txid, w.observed_at AS winner_at
     FROM transfer w
     JOIN transfer l ON l.network = w.network AND l.subject = w.subject AND l.address = w.address
                    AND l.asset = w.asset AND l.id <> w.id AND l.state IN ('mempool', 'orphaned') AND NOT l.superseded
                    AND (${EXCLUDE_EACH_OTHER})
    WHERE w.network = $1 AND w.txid = ANY ($2) AND w.state IN ('mempool', 'included')
   UNION ALL
   SELECT ${LOSER}, NULL, l.txid, NULL FROM transfer l
    WHERE l.network = $1 AND l.txid = ANY ($2) AND l.state = 'orphaned' AND l.family = 'evm' AND NOT l.superseded
      AND ($4::text[] IS NULL OR l.address = ANY ($4))
   ORDER BY winner_at, winner_txid, winner_id, loser_id`,
);

/** $1 took the place of $2, one of each beside the other: for the judgement of what counts since when. */
export const INHERIT = writeStatement(
  'chains_inherit',
  `WITH heir AS (SELECT id, array_agg(loser_id) AS losers FROM unnest($1::text[], $2::text[]) AS f (id, loser_id) GROUP BY id),
   written AS (
     UPDATE transfer t SET in_place_of = ARRAY(SELECT DISTINCT unnest(t.in_place_of || heir.losers))
       FROM heir WHERE t.id = heir.id
     RETURNING t.id
   )
   SELECT count(*)::int AS heirs FROM written`,
);

/**
 * Losers are credited no more, beside what is credited in their place. That they can never come back only the depth of
 * the other says, or the end of the grace time.
 */
export const SUPERSEDE = writeStatement(
  'chains_supersede',
  `WITH woken AS (
     UPDATE transfer t
        SET state = 'orphaned', superseded = true, replaced_by = f.txid,
            missing_since = coalesce(t.missing_since, clock_timestamp())
       FROM unnest($1::text[], $2::text[]) AS f (id, txid) WHERE t.id = f.id
     RETURNING t.subject
   ), changes AS (${WAKE})
   SELECT count(*)::int AS superseded FROM woken`,
);
