-- Standing rules: what is accepted from the review queue without a person. Off unless the merchant says otherwise,
-- but for money that was punctual and that only we saw late.
ALTER TABLE merchant
  ADD COLUMN accept_seen_late    boolean NOT NULL DEFAULT true,
  ADD COLUMN accept_short_bps    integer NOT NULL DEFAULT 0 CHECK (accept_short_bps BETWEEN 0 AND 10000),
  ADD COLUMN accept_short_minor  bigint  NOT NULL DEFAULT 0 CHECK (accept_short_minor BETWEEN 0 AND 99999999),
  ADD COLUMN accept_late_minutes integer NOT NULL DEFAULT 0 CHECK (accept_late_minutes BETWEEN 0 AND 10080),
  ADD COLUMN accept_late_move_bps integer NOT NULL DEFAULT 0 CHECK (accept_late_move_bps BETWEEN 0 AND 10000);

-- The queue: one row for every terminal intent with live money that no settlement and no dismissal covers.
CREATE TABLE review_entry (
  intent_id   text COLLATE "C" PRIMARY KEY REFERENCES intent (id),
  merchant_id text COLLATE "C" NOT NULL REFERENCES merchant (id),
  reason      text NOT NULL CHECK (reason IN ('in-time-seen-late', 'underpaid', 'late', 'other-asset',
                                              'after-cancellation', 'after-failure', 'after-settlement')),
  transfers   text[] NOT NULL,                  -- the uncovered ones: a decision names what it saw, and fails if it changed
  opened_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX review_entry_merchant ON review_entry (merchant_id, opened_at);

-- What was decided, by whom and why. Append-only.
CREATE TABLE review_decision (
  id          text COLLATE "C" PRIMARY KEY,
  intent_id   text COLLATE "C" NOT NULL REFERENCES intent (id),
  kind        text NOT NULL CHECK (kind IN ('accept', 'dismiss', 'refund')),
  actor       text NOT NULL CHECK (actor <> ''), -- a person, or 'rule:<name>'
  note        text NOT NULL CHECK (note <> ''),
  transfers   text[] NOT NULL CHECK (cardinality(transfers) > 0),
  refund_amount text,
  refund_txid text,
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((kind = 'refund') = (refund_amount IS NOT NULL))
);
CREATE INDEX review_decision_intent ON review_decision (intent_id);
CREATE TRIGGER review_decision_is_append_only BEFORE UPDATE OR DELETE ON review_decision
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
