-- What a person said when they acknowledged an alert.
ALTER TABLE alert ADD COLUMN acknowledged_note text;

-- The operator's webhook also hears when a trouble is over.
ALTER TABLE alert_notice
  ADD COLUMN about      text NOT NULL DEFAULT 'raised' CHECK (about IN ('raised', 'resolved')),
  ADD COLUMN created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  DROP CONSTRAINT alert_notice_pkey,
  ADD PRIMARY KEY (alert_id, channel, about);
