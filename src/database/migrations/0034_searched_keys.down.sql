ALTER TABLE chain_cursor DROP COLUMN known_tags;
ALTER TABLE extended_key DROP COLUMN unsearched;
