-- Where a buyer would like money back. Whoever has the payment's link can write one, so it is never more than a
-- request; the latest counts, and none is changed or removed. Append-only.
CREATE TABLE refund_request (
  id         text COLLATE "C" PRIMARY KEY,
  intent_id  text COLLATE "C" NOT NULL REFERENCES intent (id),
  network    text NOT NULL,
  address    text NOT NULL CHECK (char_length(address) BETWEEN 1 AND 100),
  note       text CHECK (char_length(note) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX refund_request_intent ON refund_request (intent_id, created_at, id);
CREATE TRIGGER refund_request_is_append_only BEFORE UPDATE OR DELETE ON refund_request
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What the books of a period are read from, in their order.
CREATE INDEX review_decision_refund ON review_decision (created_at, id) WHERE kind = 'refund';
