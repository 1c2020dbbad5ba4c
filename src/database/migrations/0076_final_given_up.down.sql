ALTER TABLE chain_cursor
  DROP COLUMN given_up_at,
  DROP COLUMN given_up_height;
