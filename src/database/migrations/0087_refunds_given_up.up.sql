-- That the block of a final refund was given up only the block in its place told, for as long as the watcher kept that one.
-- Whoever moves the cursor back notes it with the refund: it stays there until it has been looked into.
ALTER TABLE refund
  ADD COLUMN given_up_at timestamptz,
  ADD CONSTRAINT refund_given_up CHECK (given_up_at IS NULL OR (state = 'final' AND undone_at IS NULL));
CREATE INDEX refund_given_up_since ON refund (network) WHERE given_up_at IS NOT NULL;

CREATE OR REPLACE FUNCTION refund_follows_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE refund SET asked_height = least(asked_height, NEW.height), searched_height = NEW.height, searched_hash = NULL
   WHERE network = NEW.network AND searched_height > NEW.height;
  UPDATE refund SET given_up_at = clock_timestamp()
   WHERE network = NEW.network AND block_height > NEW.height AND state = 'final' AND undone_at IS NULL;
  RETURN NULL;
END $$;
