-- A person types a part of an order key or a title and expects the payment ("1031" is in order-1031). Trusted: whoever
-- may create things in the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX intent_words ON intent USING gin (idempotency_key gin_trgm_ops, title gin_trgm_ops);
