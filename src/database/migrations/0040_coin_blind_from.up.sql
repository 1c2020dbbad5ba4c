-- Since which block nobody says what addresses hold, rather than since when: what came in between is looked for from there.
ALTER TABLE chain_cursor ADD COLUMN coin_blind_from bigint; -- the last block that was looked at; NULL while they are told
UPDATE chain_cursor SET coin_blind_from = height WHERE coin_blind_since IS NOT NULL;
ALTER TABLE chain_cursor DROP COLUMN coin_blind_since;
