-- What a merchant or the operator must hear of. One row from the first sign of a trouble until it is over.
CREATE TABLE alert (
  id              text COLLATE "C" PRIMARY KEY,
  merchant_id     text COLLATE "C" REFERENCES merchant (id), -- NULL: the operator's
  kind            text NOT NULL CHECK (kind IN ('review-entry', 'reorganised-after-settlement', 'webhook-endpoint-disabled',
                                                'network-unavailable', 'rates-unavailable', 'nodes-disagree')),
  subject         text NOT NULL,                -- what it is about: an intent, an endpoint, a network
  summary         text NOT NULL,
  detail          text NOT NULL,
  data            jsonb NOT NULL,               -- the same for programs
  raised_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_raised_at  timestamptz NOT NULL DEFAULT clock_timestamp(), -- the last time that somebody saw the trouble
  resolved_at     timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text,
  mailed_at       timestamptz,
  posted_at       timestamptz,                  -- to the operator's webhook
  CHECK ((acknowledged_at IS NULL) = (acknowledged_by IS NULL))
);
-- However many instances see one trouble, it is one alert.
CREATE UNIQUE INDEX alert_unresolved ON alert (kind, subject) WHERE resolved_at IS NULL;
CREATE INDEX alert_list ON alert (merchant_id, raised_at DESC, id DESC);
CREATE INDEX alert_open ON alert (merchant_id) WHERE resolved_at IS NULL AND acknowledged_at IS NULL;

-- What is still to be sent; written with the alert, gone once it is sent, or once nobody needs to hear of it any more.
CREATE TABLE alert_notice (
  alert_id        text COLLATE "C" NOT NULL REFERENCES alert (id) ON DELETE CASCADE,
  channel         text NOT NULL CHECK (channel IN ('mail', 'webhook')),
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(), -- while it is leased: when the lease ends
  lease_token     uuid,                         -- fencing: a result without the current token changes nothing
  PRIMARY KEY (alert_id, channel)
);
CREATE INDEX alert_notice_due ON alert_notice (channel, next_attempt_at);

ALTER TABLE merchant ADD COLUMN alert_emails text[] NOT NULL DEFAULT '{}' CHECK (cardinality(alert_emails) <= 10);
