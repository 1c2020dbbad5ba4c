-- Who has forgotten a password asks here, whoever they are and whether there is an account: the same single row, so that
-- neither the answer nor its time tells. A job looks who it was, and forgets the question.
CREATE TABLE password_request (
  email text PRIMARY KEY,
  address text NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX password_request_oldest ON password_request (asked_at);
