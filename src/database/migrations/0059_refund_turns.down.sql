ALTER TABLE refund DROP COLUMN looked_at;
