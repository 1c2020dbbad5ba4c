-- Which chain a network was first seen on. A name or a URL may come to stand for another chain; its first block cannot.
ALTER TABLE chain_cursor
  ADD COLUMN chain_id     bigint,               -- EIP-155 id; NULL for networks that are not EVM
  ADD COLUMN genesis_hash text,                 -- NULL until the first contact after this migration
  -- EVM: since when the node has not said what addresses hold; coin by internal calls is not seen meanwhile.
  ADD COLUMN coin_blind_since timestamptz,
  -- EVM: recent addresses beyond those whose balances are compared.
  ADD COLUMN coin_unwatched   integer NOT NULL DEFAULT 0;
-- Two networks on one chain would record each payment twice.
CREATE UNIQUE INDEX chain_cursor_chain ON chain_cursor (genesis_hash, coalesce(chain_id, 0));

-- By the database's clock: an address that was issued later cannot have been paid in this block or before it.
ALTER TABLE chain_block ADD COLUMN recorded_at timestamptz NOT NULL DEFAULT clock_timestamp();

-- Which assets the cursor stands for: the blocks up to covered_height were searched for it, from from_height on. A
-- leader moves on only the assets that it knows, so that one with an older list does not pass a payment by.
CREATE TABLE cursor_asset (
  network        text NOT NULL,
  asset_key      text NOT NULL,                 -- 'native', or the contract in lower case
  from_height    bigint NOT NULL,
  covered_height bigint NOT NULL CHECK (covered_height >= from_height),
  PRIMARY KEY (network, asset_key)
);

-- Whose balances are compared: the newest addresses of each key, so that one merchant's crowd out nobody else's.
CREATE INDEX address_newest ON address (extended_key_id, created_at);
DROP INDEX address_recent;

-- Why a network cannot be watched at the moment, for all instances and before there is a cursor.
CREATE TABLE watch_failure (
  network text PRIMARY KEY,
  reason  text NOT NULL,
  since   timestamptz NOT NULL DEFAULT clock_timestamp()
);
