DROP TABLE watch_failure;
CREATE INDEX address_recent ON address (family, created_at);
DROP INDEX address_newest;
DROP TABLE cursor_asset;
ALTER TABLE chain_block DROP COLUMN recorded_at;
DROP INDEX chain_cursor_chain;
ALTER TABLE chain_cursor
  DROP COLUMN chain_id, DROP COLUMN genesis_hash, DROP COLUMN coin_blind_since, DROP COLUMN coin_unwatched;
