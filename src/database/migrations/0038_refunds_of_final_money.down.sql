-- What an intent has received for good and could still give back, by network and asset. Money that a settlement took as
-- the price is not in it, money that has left the chain is not, and what was refunded is deducted.
CREATE OR REPLACE FUNCTION refundable(of_intent text)
  RETURNS TABLE (network text, asset text, decimals smallint, atoms numeric) LANGUAGE sql STABLE AS $$
  SELECT m.network, m.asset, max(m.decimals)::smallint,
         sum(m.atoms) - coalesce((SELECT sum(d.refund_atoms) FROM review_decision d
                                   WHERE d.intent_id = of_intent AND d.refund_network = m.network
                                     AND d.refund_asset = m.asset), 0)
    FROM (
      SELECT u.network, u.asset, u.decimals, u.amount_atoms AS atoms
        FROM unsettled_money u JOIN transfer t ON t.id = u.transfer_id AND t.state = 'included'
       WHERE u.intent_id = of_intent
         AND NOT EXISTS (SELECT FROM settlement s WHERE s.intent_id = of_intent
                            AND s.transfers @> jsonb_build_array(jsonb_build_object('id', u.transfer_id)))
      UNION ALL
      SELECT s.network, s.asset, q.decimals, s.excess_atoms
        FROM settlement s JOIN quote q ON q.id = s.quote_id
       WHERE s.intent_id = of_intent AND s.excess_atoms > 0
         AND NOT EXISTS (SELECT FROM jsonb_array_elements(s.transfers) e LEFT JOIN transfer t ON t.id = e->>'id'
                          WHERE t.state IS DISTINCT FROM 'included')
    ) m
   GROUP BY m.network, m.asset
$$;

DROP FUNCTION has_depth(text, bigint, text);
ALTER TABLE unsettled_money DROP COLUMN depth;
