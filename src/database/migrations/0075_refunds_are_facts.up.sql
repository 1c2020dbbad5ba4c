-- What people ask for or record by hand is bound by what is final and not returned. What the chain holds for good is a
-- fact: it is recorded whatever became of the money that it returned (ADR 71).
CREATE OR REPLACE FUNCTION refuse_refund_beyond_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM intent WHERE id = NEW.intent_id FOR UPDATE;
  IF EXISTS (SELECT FROM refund f
              WHERE f.decision_id = NEW.id AND f.state = 'final'
                AND (f.intent_id, f.network, f.asset, f.atoms)
                    = (NEW.intent_id, NEW.refund_network, NEW.refund_asset, NEW.refund_atoms)) THEN
    RETURN NEW;
  END IF;
  IF NEW.refund_atoms > coalesce((SELECT r.atoms FROM refundable(NEW.intent_id) r
                                   WHERE r.network = NEW.refund_network AND r.asset = NEW.refund_asset), 0) THEN
    RAISE EXCEPTION 'a refund of more than what is final and not returned' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

-- By network and asset, how much more is recorded as returned than blocks hold of the money that could be. However deep
-- they are: a block that is mined anew is not less money.
CREATE FUNCTION refunded_beyond(of_intent text)
  RETURNS TABLE (network text, asset text, decimals smallint, atoms numeric) LANGUAGE sql STABLE AS $$
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
