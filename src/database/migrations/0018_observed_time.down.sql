UPDATE review_entry SET reason = 'after-settlement' WHERE reason = 'other-quote';
ALTER TABLE review_entry DROP CONSTRAINT review_entry_reason_check;
ALTER TABLE review_entry ADD CONSTRAINT review_entry_reason_check
  CHECK (reason IN ('in-time-seen-late', 'underpaid', 'late', 'other-asset', 'after-cancellation', 'after-failure',
                    'after-settlement'));
-- Fails where an amount has no room in the old columns, rather than change what is in the books.
ALTER TABLE settlement
  ALTER COLUMN received_atoms TYPE numeric(78, 0),
  ALTER COLUMN excess_atoms TYPE numeric(78, 0),
  ALTER COLUMN fiat_minor TYPE bigint;
DROP TABLE own_address;
DROP TRIGGER transfer_observed_time ON transfer;
DROP FUNCTION keep_observed_time();
UPDATE transfer SET first_seen_at = least(first_seen_at, observed_at);
ALTER TABLE transfer
  DROP COLUMN observed_at, DROP COLUMN blind_since, DROP COLUMN inherited, DROP COLUMN replaced_by,
  DROP COLUMN superseded, DROP COLUMN own;
DROP FUNCTION observed_time(text, timestamptz, timestamptz, timestamptz);
