ALTER TABLE chain_cursor ADD COLUMN coin_blind_since timestamptz;
UPDATE chain_cursor SET coin_blind_since = clock_timestamp() WHERE coin_blind_from IS NOT NULL;
ALTER TABLE chain_cursor DROP COLUMN coin_blind_from;
