-- What awaits its first code belongs to the session that began it, and ends with it: whoever had been in an account for a while could leave
-- a secret of theirs, and its person turned codes on by that one. Whoever is in the middle begins again.
ALTER TABLE session ADD COLUMN pending_totp_secret text; -- AES-256-GCM, bound to this row
UPDATE person SET totp_secret = NULL, totp_last_step = 0 WHERE totp_secret IS NOT NULL AND totp_enabled_at IS NULL;
ALTER TABLE person DROP CONSTRAINT person_check,
  ADD CONSTRAINT person_totp_is_on CHECK ((totp_secret IS NULL) = (totp_enabled_at IS NULL));
