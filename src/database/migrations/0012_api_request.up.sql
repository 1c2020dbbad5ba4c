-- What merchants' servers asked and what they were answered, for a fortnight. No body, no key, no query, no address.
-- Written in bulk, beside the requests; without foreign keys, because a log must not cost a look-up for every row.
CREATE TABLE api_request (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          timestamptz NOT NULL,
  merchant_id text COLLATE "C" NOT NULL,
  key_id      text COLLATE "C" NOT NULL,
  method      text NOT NULL,
  path        text NOT NULL,
  status      smallint,                         -- NULL: the client left before it was answered
  problem     text,                             -- the code of the problem document
  trace_id    text NOT NULL,
  duration_ms integer NOT NULL,
  intent_id   text COLLATE "C"
);
CREATE INDEX api_request_merchant ON api_request (merchant_id, id);
-- Errors are few, and what one looks for: they must not be searched for among all that went well.
CREATE INDEX api_request_errors ON api_request (merchant_id, id) WHERE status >= 400;
CREATE INDEX api_request_trace ON api_request (trace_id);
