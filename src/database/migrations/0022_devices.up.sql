-- Browsers in which somebody has signed in: what strangers guess does not hold them up.
CREATE TABLE known_device (
  person_id    text COLLATE "C" NOT NULL REFERENCES person (id),
  token_hash   bytea NOT NULL,                  -- SHA-256 of 256 random bits, which a cookie holds
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (person_id, token_hash)
);
CREATE INDEX known_device_token ON known_device (token_hash);
CREATE INDEX known_device_age ON known_device (last_seen_at);

ALTER TABLE person
  ADD COLUMN guesses_told_at    timestamptz,    -- when they were last told that somebody guesses
  ADD COLUMN factor_declined_at timestamptz;    -- when they last said "later" to a second factor
