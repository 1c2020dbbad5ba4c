-- A challenge counts from when it was given out until it is answered once or too old: what was never asked is no
-- answer. Strangers ask too, so a row is small and lives for minutes.
CREATE TABLE passkey_challenge (
  hash       bytea PRIMARY KEY,                 -- SHA-256 of what the browser was given
  person_id  text COLLATE "C" REFERENCES person (id), -- who is to make a passkey with it; null: signed by one that exists
  expires_at timestamptz NOT NULL
);
-- Its predecessor was never written.
DROP TABLE spent_challenge;
