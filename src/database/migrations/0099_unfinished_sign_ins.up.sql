-- A right password whose second step has not followed yet. Where it never does, somebody else may know the password: a job tells the
-- person and forgets the row. Apart from the session, which ends with whatever else signs in there.
CREATE TABLE unfinished_sign_in (
  token_hash bytea PRIMARY KEY,
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  address text NOT NULL,
  since timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX unfinished_sign_in_oldest ON unfinished_sign_in (since);
