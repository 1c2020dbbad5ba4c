ALTER TABLE chain_cursor DROP COLUMN watched_since;
