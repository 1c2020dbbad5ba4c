-- When it was last looked for. Refunds of a network take turns by it, each merchant's beside the others', so that none waits
-- for what another one cannot find.
ALTER TABLE refund ADD COLUMN looked_at timestamptz NOT NULL DEFAULT clock_timestamp();
