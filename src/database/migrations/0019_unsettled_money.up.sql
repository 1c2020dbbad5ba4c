-- What an endpoint is sent. Events from before a change of the choice owe it nothing.
ALTER TABLE webhook_endpoint
  ADD COLUMN events text[] NOT NULL DEFAULT '{payment.status}'
    CHECK (cardinality(events) > 0 AND events <@ '{payment.status,payment.money}'),
  ADD COLUMN events_changed_at timestamptz;

-- Each kind of event of a subject counts for itself.
ALTER TABLE event ADD CONSTRAINT event_subject_type_sequence_key UNIQUE (subject, type, sequence);
ALTER TABLE event DROP CONSTRAINT event_subject_sequence_key;

-- Final money of an intent that has ended, beyond the price that a settlement took: one row for each transfer, written
-- with the event that announces it. So none is announced twice, and refunds and books have something to stand on.
CREATE TABLE unsettled_money (
  intent_id    text COLLATE "C" NOT NULL REFERENCES intent (id),
  transfer_id  text COLLATE "C" NOT NULL REFERENCES transfer (id),
  merchant_id  text COLLATE "C" NOT NULL REFERENCES merchant (id),
  reason       text NOT NULL CHECK (reason IN ('late', 'underpaid', 'in-time-seen-late', 'excess', 'after-settlement',
                                               'other-quote', 'other-asset', 'other-network', 'cancelled', 'failed')),
  network      text NOT NULL,
  asset        text NOT NULL,
  decimals     smallint NOT NULL,
  amount_atoms numeric(78, 0) NOT NULL CHECK (amount_atoms > 0), -- of 'excess', the part of the transfer that was too much
  txid         text NOT NULL,
  sequence     integer NOT NULL CHECK (sequence > 0),
  event_id     text COLLATE "C" NOT NULL UNIQUE REFERENCES event (id) DEFERRABLE INITIALLY DEFERRED,
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (intent_id, transfer_id),
  UNIQUE (intent_id, sequence)
);
CREATE INDEX unsettled_money_books ON unsettled_money (merchant_id, created_at);
CREATE TRIGGER unsettled_money_is_append_only BEFORE UPDATE OR DELETE ON unsettled_money
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A refund says what was sent back: an amount without its asset is no amount.
ALTER TABLE review_decision
  ADD COLUMN refund_network  text,
  ADD COLUMN refund_asset    text,
  ADD COLUMN refund_decimals smallint,
  ADD COLUMN refund_atoms    numeric(78, 0);

-- What was recorded before, as far as it is certain: money of one kind, whose decimals a quote knows.
ALTER TABLE review_decision DISABLE TRIGGER review_decision_is_append_only;
UPDATE review_decision d
   SET refund_network = k.network, refund_asset = k.asset, refund_decimals = k.decimals,
       refund_atoms = d.refund_amount::numeric * (10::numeric ^ k.decimals)
  FROM (SELECT d.id, min(t.network) AS network, min(t.asset) AS asset, min(q.decimals) AS decimals
          FROM review_decision d JOIN transfer t ON t.id = ANY (d.transfers)
          LEFT JOIN quote q ON q.intent_id = d.intent_id AND q.network = t.network AND q.asset = t.asset
         WHERE d.kind = 'refund'
         GROUP BY d.id HAVING count(DISTINCT (t.network, t.asset)) = 1 AND min(q.decimals) IS NOT NULL) k
 WHERE d.id = k.id AND d.refund_amount ~ '^\d{1,40}(\.\d{1,18})?$'
   AND scale(trim_scale(d.refund_amount::numeric)) <= k.decimals AND d.refund_amount::numeric > 0;
ALTER TABLE review_decision ENABLE TRIGGER review_decision_is_append_only;

ALTER TABLE review_decision
  ADD CHECK ((refund_atoms IS NULL) = (refund_network IS NULL) AND (refund_atoms IS NULL) = (refund_asset IS NULL)
             AND (refund_atoms IS NULL) = (refund_decimals IS NULL) AND refund_atoms > 0),
  ADD CONSTRAINT review_decision_refund_is_whole CHECK ((kind = 'refund') = (refund_atoms IS NOT NULL)) NOT VALID;

-- What an intent has received for good and could still give back, by network and asset. Money that a settlement took as
-- the price is not in it, money that has left the chain is not, and what was refunded is deducted.
CREATE FUNCTION refundable(of_intent text)
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

-- The last word on refunds, whoever writes them: the intent's lock makes two of them come one after the other.
CREATE FUNCTION refuse_refund_beyond_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM intent WHERE id = NEW.intent_id FOR UPDATE;
  IF NEW.refund_atoms > coalesce((SELECT r.atoms FROM refundable(NEW.intent_id) r
                                   WHERE r.network = NEW.refund_network AND r.asset = NEW.refund_asset), 0) THEN
    RAISE EXCEPTION 'a refund of more than what is final and not returned' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER review_decision_refund BEFORE INSERT ON review_decision
  FOR EACH ROW WHEN (NEW.kind = 'refund') EXECUTE FUNCTION refuse_refund_beyond_money();

-- Money of intents that ended before this was written down is looked at once more.
INSERT INTO fact_change (subject)
SELECT DISTINCT t.subject FROM transfer t JOIN intent i ON i.id = t.subject
 WHERE i.status IN ('settled', 'failed', 'expired', 'cancelled') AND t.state = 'included'
 ORDER BY 1
ON CONFLICT (subject) DO NOTHING;
