ALTER TABLE refund DROP COLUMN refused_since;
