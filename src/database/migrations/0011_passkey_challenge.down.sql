CREATE TABLE spent_challenge (
  hash       bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
DROP TABLE passkey_challenge;
