ALTER TABLE refund DROP COLUMN gone_since, DROP COLUMN refused_since;
