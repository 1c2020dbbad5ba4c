DROP INDEX refund_undone_since, refund_recent, refund_final, refund_movement;
CREATE UNIQUE INDEX refund_movement ON refund (merchant_id, network, txid, output) WHERE output IS NOT NULL;
ALTER TABLE refund
  DROP COLUMN named_sender, DROP COLUMN named_nonce, DROP COLUMN opened_by, DROP COLUMN opened_at,
  DROP COLUMN search_until, DROP COLUMN search_ended_at, DROP COLUMN undone_at, DROP COLUMN elsewhere_txid,
  DROP COLUMN again_txid, DROP COLUMN again_output;
