ALTER TABLE person DROP CONSTRAINT person_totp_is_on,
  ADD CONSTRAINT person_check CHECK (totp_enabled_at IS NULL OR totp_secret IS NOT NULL);
ALTER TABLE session DROP COLUMN pending_totp_secret;
