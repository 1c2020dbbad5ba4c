CREATE OR REPLACE FUNCTION refundable(of_intent text)
  RETURNS TABLE (network text, asset text, decimals smallint, atoms numeric) LANGUAGE sql STABLE AS $$
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
       WHERE s.intent_id = of_intent AND s.excess_atoms > 0
         AND EXISTS (SELECT FROM unsettled_money u
                      WHERE u.intent_id = of_intent
                        AND s.transfers @> jsonb_build_array(jsonb_build_object('id', u.transfer_id)))
         AND NOT EXISTS (SELECT FROM jsonb_array_elements(s.transfers) e
                           LEFT JOIN transfer t ON t.id = e->>'id'
                           LEFT JOIN unsettled_money u ON u.intent_id = of_intent AND u.transfer_id = t.id
                          WHERE t.state IS DISTINCT FROM 'included' OR t.subject <> of_intent OR t.asset <> s.asset
                             OR t.amount_atoms < (e->>'amountAtoms')::numeric
                             OR NOT has_depth(t.network, t.block_height, coalesce(u.depth, q.settlement_depth)))
    ) m
   GROUP BY m.network, m.asset
$$;
