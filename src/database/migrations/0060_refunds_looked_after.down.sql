ALTER TABLE refund DROP COLUMN named_sender, DROP COLUMN named_nonce;
