-- What was accepted stays. Mail that waits, and who has proved an address, are forgotten.
DROP TABLE outgoing_mail;
DELETE FROM one_time_link WHERE kind = 'proof';
UPDATE one_time_link SET expires_at = least(expires_at, clock_timestamp()) WHERE spent_at IS NOT NULL;
DROP INDEX one_time_link_email;
DROP INDEX one_time_link_inviter;
ALTER TABLE one_time_link
  DROP COLUMN id, DROP COLUMN delivered_to, DROP COLUMN invited_by, DROP COLUMN mail_id,
  DROP COLUMN spent_at, DROP COLUMN ended_as,
  DROP CONSTRAINT one_time_link_kind_check,
  ADD CONSTRAINT one_time_link_kind_check CHECK (kind IN ('invitation', 'reset'));
ALTER TABLE person
  DROP COLUMN registered_at, DROP COLUMN email_proven_at, DROP COLUMN email_proven_by, DROP COLUMN last_merchant_id;
