-- Where a round is by blocks: how far the last finished one came, and when the last one that read every block began.
ALTER TABLE reconciliation
  ADD COLUMN compared_height bigint,
  ADD COLUMN whole_at timestamptz;
