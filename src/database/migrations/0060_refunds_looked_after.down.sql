DROP INDEX refund_undone_since, refund_recent, refund_final;
ALTER TABLE refund
  DROP COLUMN named_sender, DROP COLUMN named_nonce, DROP COLUMN opened_by, DROP COLUMN opened_at,
  DROP COLUMN search_until, DROP COLUMN search_ended_at, DROP COLUMN undone_at, DROP COLUMN elsewhere_txid,
  DROP COLUMN again_txid, DROP COLUMN again_output;
