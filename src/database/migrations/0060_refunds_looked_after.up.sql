-- Whose the transaction is that somebody named: what uses up its nonce instead takes its place (EVM alone).
ALTER TABLE refund
  ADD COLUMN named_sender text,
  ADD COLUMN named_nonce  bigint,
  ADD CONSTRAINT refund_named CHECK ((named_sender IS NULL) = (named_nonce IS NULL));
