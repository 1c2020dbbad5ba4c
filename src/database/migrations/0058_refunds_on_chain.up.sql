-- Money on its way back to a buyer: somebody decided to send it, pays it with the merchant's own wallet, and the chain says
-- what became of it. Once it is final it is a decision (`review_decision`), by which it is in the books.
CREATE TABLE refund (
  id              text COLLATE "C" PRIMARY KEY,
  intent_id       text COLLATE "C" NOT NULL REFERENCES intent (id),
  merchant_id     text COLLATE "C" NOT NULL REFERENCES merchant (id),
  network         text COLLATE "C" NOT NULL,
  asset           text NOT NULL,
  decimals        smallint NOT NULL,
  atoms           numeric(78, 0) NOT NULL CHECK (atoms > 0),
  amount          text NOT NULL,               -- as it was typed
  address         text NOT NULL,               -- where it goes
  depth           text NOT NULL,               -- how deep it has to be, as its money had to
  transfers       text[] NOT NULL,             -- the money that it is about
  actor           text NOT NULL CHECK (actor <> ''),
  note            text NOT NULL CHECK (note <> ''),
  state           text NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'sent', 'seen', 'final', 'withdrawn')),
  txid            text,                        -- as somebody said it, then as it was found
  output          text,
  block_height    bigint,
  block_hash      text,
  asked_height    bigint NOT NULL,             -- blocks up to here are from before it was asked
  searched_height bigint NOT NULL,             -- blocks up to here cannot hold it, or do not
  searched_hash   text,                        -- of that block: where it is given up, those before are searched again
  decision_id     text COLLATE "C" REFERENCES review_decision (id) DEFERRABLE INITIALLY DEFERRED,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((state IN ('seen', 'final')) = (output IS NOT NULL AND block_height IS NOT NULL AND block_hash IS NOT NULL)),
  CHECK (state IN ('asked', 'withdrawn') OR txid IS NOT NULL),
  CHECK ((state = 'final') = (decision_id IS NOT NULL))
);
-- A movement on a chain pays back one refund of a merchant. What another merchant takes for its own neither blocks it nor
-- takes it.
CREATE UNIQUE INDEX refund_movement ON refund (merchant_id, network, txid, output) WHERE output IS NOT NULL;
CREATE INDEX refund_open ON refund (network, searched_height) WHERE state IN ('asked', 'sent', 'seen');
CREATE INDEX refund_intent ON refund (intent_id, created_at);
CREATE INDEX refund_merchant ON refund (merchant_id, created_at DESC, id DESC);

-- What is on its way back cannot be given back once more.
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
