-- A refund whose search a node refuses, while it answers everything else, stands still and nobody says so: since when.
ALTER TABLE refund ADD COLUMN refused_since timestamptz;
