-- Mails of alerts to one address, which count against what it may be sent in an hour; and what waits there to be told together.
CREATE TABLE alert_mail (
  id              text COLLATE "C" PRIMARY KEY,
  mailbox         text NOT NULL,                -- what is counted: one for every spelling of an address
  address         text NOT NULL,
  is_proved       boolean NOT NULL,             -- a member's mailbox, or set by the operator; others share what there is
  merchant_id     text COLLATE "C" REFERENCES merchant (id), -- NULL: the operator's
  alert_id        text COLLATE "C",             -- NULL: of those that are told together
  stands_for      integer NOT NULL DEFAULT 1 CHECK (stands_for > 0), -- as many alerts
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  counted_at      timestamptz,                  -- NULL while it waits, and grows
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,                  -- of those that are told together, until it is sent
  lease_token     uuid,                         -- fencing: a result without the current token changes nothing
  UNIQUE (alert_id, address),
  CHECK (counted_at IS NOT NULL OR (alert_id IS NULL AND next_attempt_at IS NOT NULL))
);
CREATE UNIQUE INDEX alert_mail_waiting ON alert_mail (address, is_proved, coalesce(merchant_id, '')) WHERE counted_at IS NULL;
CREATE INDEX alert_mail_due ON alert_mail (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX alert_mail_mailbox ON alert_mail (mailbox, counted_at);
CREATE INDEX alert_mail_merchant ON alert_mail (merchant_id, counted_at);

-- Addresses that are told of it together with others: a later try does not count it again.
ALTER TABLE alert_notice ADD COLUMN collected text[] NOT NULL DEFAULT '{}';
