-- Every browser is a stranger's until its next sign-in.
DROP TABLE known_device;
ALTER TABLE person DROP COLUMN guesses_told_at, DROP COLUMN factor_declined_at;
