-- When a chain last gave up blocks that had been held to be final, and from which on: whoever settled on them must look.
ALTER TABLE chain_cursor
  ADD COLUMN given_up_at timestamptz,
  ADD COLUMN given_up_height bigint,
  ADD CONSTRAINT chain_cursor_given_up CHECK ((given_up_at IS NULL) = (given_up_height IS NULL));
