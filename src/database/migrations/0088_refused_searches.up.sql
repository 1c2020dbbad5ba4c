-- A refund whose search a node refuses, while it answers everything else, stands still and nobody says so: since when, and
-- since when because it keeps a block no more.
ALTER TABLE refund ADD COLUMN refused_since timestamptz, ADD COLUMN gone_since timestamptz;
