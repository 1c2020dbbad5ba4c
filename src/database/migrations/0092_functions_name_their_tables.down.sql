ALTER FUNCTION keep_observed_time() RESET search_path;
ALTER FUNCTION name_address() RESET search_path;
ALTER FUNCTION queue_for_event_log() RESET search_path;
ALTER FUNCTION refund_follows_cursor() RESET search_path;
ALTER FUNCTION refund_starts_at_cursor() RESET search_path;
ALTER FUNCTION refuse_change() RESET search_path;
ALTER FUNCTION refuse_change_but_forgetting() RESET search_path;
ALTER FUNCTION refuse_named_address() RESET search_path;
ALTER FUNCTION refuse_refund_beyond_money() RESET search_path;

CREATE OR REPLACE FUNCTION observed_time(family text, seen_at timestamptz, block_time timestamptz, blind_since timestamptz)
 RETURNS timestamptz
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE
    WHEN family = 'evm' THEN least(seen_at, block_time)
    WHEN block_time IS NULL OR blind_since IS NULL THEN seen_at
    ELSE least(greatest(block_time, blind_since), seen_at)
  END
$$;

CREATE OR REPLACE FUNCTION refundable(of_intent text)
 RETURNS TABLE(network text, asset text, decimals smallint, atoms numeric)
 LANGUAGE sql
 STABLE
AS $$
  SELECT m.network, m.asset, max(m.decimals)::smallint,
         sum(m.atoms) - coalesce((SELECT sum(d.refund_atoms) FROM review_decision d
                                   WHERE d.intent_id = of_intent AND d.refund_network = m.network
                                     AND d.refund_asset = m.asset), 0)
                     - coalesce((SELECT sum(f.atoms) FROM refund f
                                  WHERE f.intent_id = of_intent AND f.network = m.network AND f.asset = m.asset
                                    AND f.state IN ('asked', 'sent', 'seen')), 0)
    FROM (
      SELECT u.network, u.asset, u.decimals, least(u.amount_atoms, t.amount_atoms) AS atoms
        FROM unsettled_money u
        JOIN transfer t ON t.id = u.transfer_id AND t.state = 'included' AND t.subject = u.intent_id
                       AND t.asset = u.asset AND NOT t.own AND NOT t.superseded
        LEFT JOIN quote q ON q.intent_id = u.intent_id AND q.network = u.network AND q.asset = u.asset
       WHERE u.intent_id = of_intent
         AND has_depth(t.network, t.block_height, coalesce(u.depth, q.settlement_depth, 'finalized'))
         AND NOT EXISTS (SELECT FROM settlement s WHERE s.intent_id = of_intent
                            AND s.transfers @> jsonb_build_array(jsonb_build_object('id', u.transfer_id)))
      UNION ALL
      SELECT s.network, s.asset, q.decimals, s.excess_atoms
        FROM settlement s JOIN quote q ON q.id = s.quote_id
        CROSS JOIN LATERAL (
          SELECT (SELECT u.depth FROM unsettled_money u
                   WHERE u.intent_id = of_intent
                     AND s.transfers @> jsonb_build_array(jsonb_build_object('id', u.transfer_id))
                   ORDER BY u.sequence DESC LIMIT 1) AS depth) told
       WHERE s.intent_id = of_intent AND s.excess_atoms > 0
         AND EXISTS (SELECT FROM unsettled_money u
                      WHERE u.intent_id = of_intent
                        AND s.transfers @> jsonb_build_array(jsonb_build_object('id', u.transfer_id)))
         AND NOT EXISTS (SELECT FROM jsonb_array_elements(s.transfers) e
                           LEFT JOIN transfer t ON t.id = e->>'id'
                           LEFT JOIN unsettled_money u ON u.intent_id = of_intent AND u.transfer_id = t.id
                          WHERE t.state IS DISTINCT FROM 'included' OR t.subject <> of_intent OR t.asset <> s.asset
                             OR t.amount_atoms < (e->>'amountAtoms')::numeric
                             OR NOT has_depth(t.network, t.block_height, coalesce(u.depth, told.depth, q.settlement_depth)))
    ) m
   GROUP BY m.network, m.asset
$$;

CREATE OR REPLACE FUNCTION has_depth(of_network text, at_height bigint, wanted text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $$
  SELECT coalesce((SELECT CASE wanted WHEN 'safe' THEN at_height <= c.safe_height
                                      WHEN 'finalized' THEN at_height <= c.finalized_height
                                      ELSE c.height - at_height + 1 >= wanted::bigint END
                     FROM chain_cursor c WHERE c.network = of_network), false)
$$;

CREATE OR REPLACE FUNCTION refunded_beyond(of_intent text)
 RETURNS TABLE(network text, asset text, decimals smallint, atoms numeric)
 LANGUAGE sql
 STABLE
AS $$
  SELECT d.refund_network, d.refund_asset, max(d.refund_decimals)::smallint,
         sum(d.refund_atoms) - max(coalesce(m.atoms, 0))
    FROM review_decision d
    LEFT JOIN (
      SELECT h.network, h.asset, sum(h.atoms) AS atoms
        FROM (
          SELECT u.network, u.asset, least(u.amount_atoms, t.amount_atoms) AS atoms
            FROM unsettled_money u
            JOIN transfer t ON t.id = u.transfer_id AND t.state = 'included' AND t.subject = u.intent_id
                           AND t.asset = u.asset AND NOT t.own AND NOT t.superseded
           WHERE u.intent_id = of_intent
             AND NOT EXISTS (SELECT FROM settlement s WHERE s.intent_id = of_intent
                                AND s.transfers @> jsonb_build_array(jsonb_build_object('id', u.transfer_id)))
          UNION ALL
          SELECT s.network, s.asset, s.excess_atoms
            FROM settlement s
           WHERE s.intent_id = of_intent AND s.excess_atoms > 0
             AND NOT EXISTS (SELECT FROM jsonb_array_elements(s.transfers) e LEFT JOIN transfer t ON t.id = e->>'id'
                              WHERE t.state IS DISTINCT FROM 'included' OR t.subject <> of_intent OR t.asset <> s.asset
                                 OR t.amount_atoms < (e->>'amountAtoms')::numeric)
        ) h
       GROUP BY h.network, h.asset
    ) m ON m.network = d.refund_network AND m.asset = d.refund_asset
   WHERE d.intent_id = of_intent AND d.refund_atoms IS NOT NULL
   GROUP BY d.refund_network, d.refund_asset
  HAVING sum(d.refund_atoms) > max(coalesce(m.atoms, 0))
$$;

CREATE OR REPLACE FUNCTION is_depth(depth text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $$
  SELECT depth ~ '^([1-9][0-9]?|100|safe|finalized)$'
$$;

CREATE OR REPLACE FUNCTION days_of(i intent)
 RETURNS TABLE(merchant_id text, day date, currency text, created bigint, created_settled bigint, settled bigint, settled_minor bigint, short bigint)
 LANGUAGE sql
 STABLE
AS $$
  SELECT i.merchant_id, (i.created_at AT TIME ZONE 'UTC')::date, i.currency, 1, (i.settled_at IS NOT NULL)::int, 0, 0, 0
  UNION ALL
  SELECT i.merchant_id, (i.settled_at AT TIME ZONE 'UTC')::date, i.currency, 0, 0, 1, i.amount_minor,
         coalesce((SELECT greatest(i.amount_minor - s.fiat_minor, 0) FROM settlement s
                    WHERE s.intent_id = i.id AND coalesce(s.accepted_by, 'rule:') LIKE 'rule:%'), 0)
   WHERE i.settled_at IS NOT NULL
$$;
