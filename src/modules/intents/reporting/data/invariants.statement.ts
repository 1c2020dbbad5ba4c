import type { EntityManager } from 'typeorm';
import { LEAST_DELIVERY_DAYS } from '../../../../config/config.types.js';
import { MOST_TOLD } from '../../domain/transfers.js';

/** `t`, a transfer, is beyond doubt: on the chain or in the mempool. Of what is missing only time tells. */
const CERTAIN = `t.state IN ('mempool', 'included') AND NOT t.own`;

/** Facts that nobody has decided upon yet: what they change is not due. */
const DECIDED = (intentId: string) => `NOT EXISTS (SELECT FROM fact_change WHERE subject = ${intentId})`;

const TERMINAL = `('settled', 'failed', 'expired', 'cancelled')`;

/** `t`, an element of a settlement's transfers, has the depth of the quote `q`; `c` is its network's cursor. */
const DEEP_ENOUGH = `CASE q.settlement_depth
    WHEN 'safe' THEN c.safe_height >= (t->>'blockHeight')::bigint
    WHEN 'finalized' THEN c.finalized_height >= (t->>'blockHeight')::bigint
    ELSE c.height - (t->>'blockHeight')::bigint + 1 >= q.settlement_depth::bigint
  END`;

/** What an alert has told the merchant already is no news. */
const TOLD = (intentId: string) => `EXISTS (
  SELECT FROM alert a WHERE a.kind = 'reorganised-after-settlement' AND a.subject = ${intentId} AND a.resolved_at IS NULL)`;

/** By so many blocks deeper than it had to be, a refund has had its turn: it comes every few seconds. */
const LONG_DEEP_BLOCKS = 10;

/** The state machine and its events. */
const WALKS = {
  'one event per transition, with the same sequence': `
    SELECT count(*) FROM transition t LEFT JOIN event e ON e.id = t.event_id
    WHERE e.subject IS DISTINCT FROM t.intent_id OR e.sequence IS DISTINCT FROM t.sequence`,
  'one transition per event': `
    SELECT count(*) FROM event e LEFT JOIN transition t ON t.event_id = e.id
    WHERE e.type = 'payment.status' AND t.event_id IS NULL`,
  'sequences without gaps, ending where the intent stands': `
    SELECT count(*) FROM intent i
    LEFT JOIN (SELECT intent_id, count(*) AS n, max(sequence) AS last FROM transition GROUP BY intent_id) t
      ON t.intent_id = i.id
    WHERE t.n IS DISTINCT FROM t.last OR t.last IS DISTINCT FROM i.sequence`,
  'confirmed and settled at the time of the transition': `
    SELECT count(*) FROM intent i
    LEFT JOIN (SELECT intent_id, min(created_at) FILTER (WHERE to_status = 'settled') AS settled_at,
                      -- An accept settles what never was confirmed: it says both.
                      coalesce(min(created_at) FILTER (WHERE to_status = 'confirmed'),
                               min(created_at) FILTER (WHERE to_status = 'settled')) AS confirmed_at
               FROM transition GROUP BY intent_id) t ON t.intent_id = i.id
    WHERE (i.confirmed_at, i.settled_at) IS DISTINCT FROM (t.confirmed_at, t.settled_at)`,
  'an intent ends once, but for an expired one that was accepted': `
    SELECT count(*) FROM (
      SELECT FROM transition WHERE to_status IN ${TERMINAL} GROUP BY intent_id
      HAVING count(*) > 1 + bool_or(from_status = 'expired' AND to_status = 'settled')::int) AS twice`,
  'one delivery per event and endpoint that existed': `
    SELECT count(*) FROM event e JOIN webhook_endpoint w
      ON w.merchant_id = e.merchant_id AND w.deleted_at IS NULL AND e.type = ANY (w.events)
      AND greatest(w.created_at, w.events_changed_at) < e.created_at - interval '1 minute'
    WHERE e.created_at > clock_timestamp() - interval '${LEAST_DELIVERY_DAYS} days'
      AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.event_id = e.id AND d.endpoint_id = w.id)`,
  'every event of a payment has a place in the log, or waits for one': `
    SELECT count(*) FROM event e
    WHERE e.type <> 'webhook.test' AND NOT EXISTS (
        SELECT FROM event_log l WHERE l.event_id = e.id AND l.merchant_id = e.merchant_id)
      AND NOT EXISTS (SELECT FROM event_log_pending p WHERE p.event_id = e.id)`,
  'places in the log without gaps, an intent’s in their sequence': `
    SELECT (SELECT count(*) FROM (
              SELECT FROM event_log GROUP BY merchant_id HAVING count(*) <> max(position)) AS gaps)
         + (SELECT count(*) FROM (
              SELECT l.position < lag(l.position) OVER (PARTITION BY e.subject, e.type ORDER BY e.sequence) AS early
              FROM event_log l JOIN event e ON e.id = l.event_id) AS places WHERE early) AS count`,
  'one event per announced money, with the same sequence': `
    SELECT count(*) FROM unsettled_money m LEFT JOIN event e ON e.id = m.event_id
    WHERE e.type IS DISTINCT FROM 'payment.money' OR e.subject IS DISTINCT FROM m.intent_id
       OR e.sequence IS DISTINCT FROM m.sequence`,
  'one announced money per event': `
    SELECT count(*) FROM event e LEFT JOIN unsettled_money m ON m.event_id = e.id
    WHERE e.type = 'payment.money' AND m.event_id IS NULL`,
  'sequences of money without gaps': `
    SELECT count(*) FROM (
      SELECT FROM unsettled_money GROUP BY intent_id HAVING count(*) <> max(sequence)) AS gaps`,
  'counts per status are the rows': `
    SELECT count(*) FROM
      (SELECT merchant_id, status, count(*) AS n FROM intent GROUP BY 1, 2) i
      FULL JOIN (SELECT merchant_id, status, sum(intents) AS n FROM intent_count GROUP BY 1, 2 HAVING sum(intents) <> 0) c
      USING (merchant_id, status)
    WHERE i.n IS DISTINCT FROM c.n`,
  'the figures of days are those of the rows': `
    SELECT count(*) FROM
      (SELECT merchant_id, day, currency, sum(created) AS created, sum(created_settled) AS created_settled, sum(settled) AS settled,
              sum(settled_minor) AS minor, sum(forgiven) AS forgiven, sum(forgiven_minor) AS short
         FROM intent_day GROUP BY 1, 2, 3
       HAVING (sum(created), sum(settled), sum(created_settled), sum(settled_minor), sum(forgiven), sum(forgiven_minor))
              IS DISTINCT FROM (0, 0, 0, 0, 0, 0)) d
      FULL JOIN
      (SELECT merchant_id, (at AT TIME ZONE 'UTC')::date AS day, currency, sum(created) AS created,
              sum(created_settled) AS created_settled, sum(settled) AS settled, sum(settled * amount_minor) AS minor,
              sum(settled * (short > 0)::int) AS forgiven, sum(settled * short) AS short
         FROM (SELECT i.*, greatest(0, CASE WHEN coalesce(s.accepted_by, 'rule:') LIKE 'rule:%'
                                            THEN i.amount_minor - s.fiat_minor END) AS short
                 FROM intent i LEFT JOIN settlement s ON s.intent_id = i.id) i,
              LATERAL (VALUES (created_at, 1, (settled_at IS NOT NULL)::int, 0), (settled_at, 0, 0, 1))
                AS happened (at, created, created_settled, settled)
        WHERE at IS NOT NULL
        GROUP BY 1, 2, 3) r USING (merchant_id, day, currency)
    WHERE (d.created, d.created_settled, d.settled, d.minor, d.forgiven, d.short)
      IS DISTINCT FROM (r.created, r.created_settled, r.settled, r.minor, r.forgiven, r.short)`,
  'an idempotency key has one intent': `
    SELECT count(*) FROM (
      SELECT FROM intent WHERE idempotency_key IS NOT NULL GROUP BY merchant_id, idempotency_key
      HAVING count(*) > 1) AS twice`,
};

/** Received is the sum of the transfers that are live, wherever it is said. */
const MONEY = {
  'an event says that it received what its transfers add up to': `
    SELECT count(*) FROM event e
    CROSS JOIN LATERAL (SELECT e.body::jsonb #> '{data,payment}' AS p) AS said
    CROSS JOIN LATERAL (
      SELECT coalesce(sum((t->>'amount')::numeric), 0) AS total, count(*) AS n
      FROM jsonb_array_elements(CASE jsonb_typeof(p) WHEN 'object' THEN p->'transfers' ELSE '[]' END) t) AS added
    WHERE e.type = 'payment.status' AND jsonb_typeof(p) = 'object'
      -- Each amount is rounded down to eight decimals, and so is their exact sum. Of more transfers the largest are listed.
      AND ((p->>'received')::numeric < added.total
        OR added.n <> ${MOST_TOLD} AND (p->>'received')::numeric - added.total > added.n * 0.00000001)`,
  'settled has a record that covers the amount, or an accept': `
    SELECT count(*) FROM intent i LEFT JOIN settlement s ON s.intent_id = i.id LEFT JOIN quote q ON q.id = s.quote_id
    WHERE i.status = 'settled' AND (s.intent_id IS NULL OR q.id IS NULL OR (s.accepted_by IS NULL
      AND s.received_atoms < ceil(q.amount_atoms * (10000 - q.tolerance_bps) / 10000)))`,
  'only settled has a record': `
    SELECT count(*) FROM settlement s JOIN intent i ON i.id = s.intent_id WHERE i.status <> 'settled'`,
  'an accept is a decision that somebody made': `
    SELECT count(*) FROM settlement s
    WHERE s.accepted_by IS NOT NULL AND NOT EXISTS (
      SELECT FROM review_decision d WHERE d.intent_id = s.intent_id AND d.kind = 'accept' AND d.actor = s.accepted_by)`,
  'a settlement received what its transfers add up to': `
    SELECT count(*) FROM settlement s WHERE s.received_atoms <>
      (SELECT coalesce(sum((t->>'amountAtoms')::numeric), 0) FROM jsonb_array_elements(s.transfers) t)`,
  'a settlement rests on transfers that were final': `
    SELECT count(*) FROM settlement s JOIN quote q ON q.id = s.quote_id
    CROSS JOIN LATERAL jsonb_array_elements(s.transfers) t
    LEFT JOIN chain_cursor c ON c.network = s.network
    WHERE (${DEEP_ENOUGH}) IS NOT TRUE AND ${DECIDED('s.intent_id')} AND NOT ${TOLD('s.intent_id')}`,
  'what settled is on the chain as it was, or the merchant has been told': `
    SELECT count(*) FROM settlement s CROSS JOIN LATERAL jsonb_array_elements(s.transfers) t
    WHERE ${DECIDED('s.intent_id')} AND NOT ${TOLD('s.intent_id')} AND NOT EXISTS (
      SELECT FROM transfer f WHERE f.id = t->>'id' AND f.subject = s.intent_id AND f.txid = t->>'txid'
        AND f.state = 'included' AND f.amount_atoms >= (t->>'amountAtoms')::numeric)`,
  'live money of an intent that is over is settled, decided about, or in the queue': `
    SELECT count(*) FROM transfer t
    JOIN intent i ON i.id = t.subject JOIN quote q ON q.intent_id = i.id AND q.watched_address = t.address
    WHERE i.status IN ${TERMINAL} AND ${CERTAIN} AND NOT t.own AND ${DECIDED('i.id')}
      AND NOT EXISTS (SELECT FROM review_entry r WHERE r.intent_id = i.id AND t.id = ANY (r.transfers))
      AND NOT EXISTS (SELECT FROM review_decision d WHERE d.intent_id = i.id AND t.id = ANY (d.transfers))
      AND NOT EXISTS (SELECT FROM settlement s WHERE s.intent_id = i.id
                      AND s.transfers @> jsonb_build_array(jsonb_build_object('id', t.id)))`,
  'the queue holds live money of intents that are over, and nothing that was decided': `
    SELECT count(*) FROM review_entry r JOIN intent i ON i.id = r.intent_id CROSS JOIN LATERAL unnest(r.transfers) u
    LEFT JOIN transfer t ON t.id = u AND t.subject = r.intent_id
    WHERE ${DECIDED('r.intent_id')} AND (i.status NOT IN ${TERMINAL} OR t.id IS NULL OR t.state = 'replaced' OR t.own
      OR EXISTS (SELECT FROM review_decision d WHERE d.intent_id = r.intent_id AND u = ANY (d.transfers)))`,
};

/** What is written of a transfer beside its amount. */
const FACTS = {
  'a transfer takes the place of others at its own address alone': `
    SELECT count(*) FROM transfer t CROSS JOIN LATERAL unnest(t.in_place_of) AS replacement (id)
    WHERE NOT EXISTS (
      SELECT FROM transfer l WHERE replacement.id = ANY (l.handed_on) AND l.id <> t.id
        AND (l.network, l.subject, l.address, l.asset) = (t.network, t.subject, t.address, t.asset))`,
};

/** What is said of money that no settlement took. */
const ANNOUNCED = {
  'final money of an intent that is over is settled or announced': `
    SELECT count(*) FROM transfer t
    JOIN intent i ON i.id = t.subject
    WHERE i.status IN ${TERMINAL} AND t.final AND t.state = 'included' AND NOT t.own AND NOT t.superseded
      AND (EXISTS (SELECT FROM quote q WHERE q.intent_id = i.id AND q.watched_address = t.address
                    AND q.network = t.network AND q.asset = t.asset)
           OR EXISTS (SELECT FROM known_asset k WHERE k.network = t.network AND k.symbol = t.asset))
      AND ${DECIDED('i.id')}
      AND NOT EXISTS (SELECT FROM unsettled_money m WHERE m.intent_id = i.id AND m.transfer_id = t.id)
      AND NOT EXISTS (SELECT FROM settlement s WHERE s.intent_id = i.id
                      AND s.transfers @> jsonb_build_array(jsonb_build_object('id', t.id)))`,
  'announced money is on the chain as it was, or the merchant has been told': `
    SELECT count(*) FROM unsettled_money m
    WHERE ${DECIDED('m.intent_id')} AND NOT ${TOLD('m.intent_id')} AND NOT EXISTS (
      SELECT FROM transfer f WHERE f.id = m.transfer_id AND f.subject = m.intent_id AND f.state = 'included'
        AND f.amount_atoms >= m.amount_atoms)`,
  'no more is refunded than what was announced or too much, or the merchant has been told': `
    SELECT count(*) FROM (SELECT DISTINCT intent_id FROM review_decision WHERE refund_atoms IS NOT NULL) d
    CROSS JOIN LATERAL refunded_beyond(d.intent_id) b
    WHERE ${DECIDED('d.intent_id')} AND NOT EXISTS (
      SELECT FROM alert a WHERE a.kind = 'refund-beyond-money' AND a.subject = d.intent_id AND a.resolved_at IS NULL)`,
};

/** What went back to buyers. */
const REFUNDS = {
  'a final refund is a decision about the same money': `
    SELECT count(*) FROM refund f LEFT JOIN review_decision d ON d.id = f.decision_id
    WHERE f.state = 'final' AND (d.kind, d.intent_id, d.refund_network, d.refund_asset, d.refund_atoms)
      IS DISTINCT FROM ('refund', f.intent_id, f.network, f.asset, f.atoms)`,
  'a refund that is deep on its chain is in the books': `
    SELECT count(*) FROM refund f
    WHERE f.state = 'seen' AND f.changed_at < clock_timestamp() - interval '1 hour'
      AND has_depth(f.network, f.block_height + ${LONG_DEEP_BLOCKS}, f.depth)`,
  'a movement pays back one refund of a merchant': `
    SELECT count(*) FROM (
      SELECT FROM refund WHERE output IS NOT NULL GROUP BY merchant_id, network, txid, output
      HAVING count(*) > 1) AS twice`,
  'a final refund is in a block that was passed, or the merchant has been told': `
    SELECT count(*) FROM refund f
    WHERE f.state = 'final' AND CASE WHEN f.undone_at IS NULL
      THEN EXISTS (SELECT FROM chain_block b
                    WHERE b.network = f.network AND b.height = f.block_height AND b.hash <> f.block_hash
                      AND b.recorded_at < clock_timestamp() - interval '1 minute') -- it has its turn until then
        OR f.given_up_at < clock_timestamp() - interval '1 minute'
           AND EXISTS (SELECT FROM chain_cursor c WHERE c.network = f.network AND c.height >= f.block_height)
           AND NOT EXISTS (SELECT FROM chain_block b WHERE b.network = f.network AND b.height = f.block_height)
      ELSE NOT EXISTS (SELECT FROM alert a
                        WHERE a.kind = 'refund-undone' AND a.subject = f.id AND a.resolved_at IS NULL) END`,
  'what is on its way back is looked for, or the merchant has been told': `
    SELECT count(*) FROM refund f
    WHERE f.state IN ('asked', 'sent') AND f.search_ended_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM alert a WHERE a.kind = 'refund-unfound' AND a.subject = f.id AND a.resolved_at IS NULL)`,
};

/** Where money may arrive. */
const ADDRESSES = {
  'an address belongs to one intent': `
    SELECT count(*) FROM transfer t LEFT JOIN address a USING (family, address) WHERE a.subject IS DISTINCT FROM t.subject`,
  'a quote is paid at its own intent’s address': `
    SELECT count(*) FROM quote q LEFT JOIN address a ON a.family = q.family AND a.address = q.watched_address
    WHERE a.subject IS DISTINCT FROM q.intent_id`,
  'no two quotes share an address': `
    SELECT count(*) FROM (SELECT FROM quote GROUP BY family, watched_address HAVING count(*) > 1) AS shared`,
};

/** What stands beside a payment or a merchant is of it. */
const BELONGINGS = {
  'an intent shows a quote of its own': `
    SELECT count(*) FROM intent i JOIN quote q ON q.id = i.quote_id WHERE q.intent_id <> i.id`,
  'a settlement takes a quote of its own intent, in its asset': `
    SELECT count(*) FROM settlement s JOIN quote q ON q.id = s.quote_id
    WHERE (q.intent_id, q.network, q.asset) <> (s.intent_id, s.network, s.asset)`,
  'what waits, was announced or goes back is in the list of its own merchant': `
    SELECT count(*) FROM (
      SELECT intent_id, merchant_id FROM review_entry UNION ALL SELECT intent_id, merchant_id FROM refund
      UNION ALL SELECT intent_id, merchant_id FROM unsettled_money) listed JOIN intent i ON i.id = listed.intent_id
    WHERE i.merchant_id <> listed.merchant_id`,
  'a merchant is paid to a key or an address of its own': `
    SELECT count(*) FROM wallet w LEFT JOIN extended_key k ON k.id = w.extended_key_id LEFT JOIN destination d ON d.id = w.destination_id
    WHERE coalesce(k.merchant_id, d.merchant_id) IS DISTINCT FROM w.merchant_id`,
  'an event goes to endpoints of its own merchant alone': `
    SELECT count(*) FROM delivery d JOIN event e ON e.id = d.event_id JOIN webhook_endpoint w ON w.id = d.endpoint_id
    WHERE w.merchant_id <> e.merchant_id`,
};

/** Each query counts rows that must not exist. */
const INVARIANTS: Readonly<Record<string, string>> = {
  ...WALKS,
  ...MONEY,
  ...FACTS,
  ...ANNOUNCED,
  ...REFUNDS,
  ...ADDRESSES,
  ...BELONGINGS,
};

/** Of each, how many rows break it, one after the other. They read every row, which takes what it takes. */
export async function* violationsOfInvariants(tx: EntityManager): AsyncGenerator<[string, number]> {
  await tx.query('SET LOCAL statement_timeout = 0');
  for (const [invariant, query] of Object.entries(INVARIANTS)) {
    const [row] = await tx.query<[{ count: string }]>(query);
    yield [invariant, Number(row.count)];
  }
}
