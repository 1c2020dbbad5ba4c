ALTER TABLE person ADD COLUMN guesses_told_at timestamptz;
ALTER TABLE outgoing_mail DROP COLUMN stands_for, DROP COLUMN about;
