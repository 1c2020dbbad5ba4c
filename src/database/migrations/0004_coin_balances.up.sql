-- EVM: coin that arrives by an internal call emits no log and is no transaction's value, so balances are compared.
-- What no transfer explains of an address' balance from a height on: what it held before it was issued, less what its
-- owner has spent. A new row where that changes; a reorganisation drops the rows of the blocks that it gives up.
CREATE TABLE coin_baseline (
  network           text NOT NULL,
  address           text NOT NULL,
  height            bigint NOT NULL,
  unexplained_atoms numeric(78, 0) NOT NULL,
  PRIMARY KEY (network, address, height)
);
CREATE INDEX coin_baseline_height ON coin_baseline (network, height);

-- Whose balances are compared: the newest addresses.
CREATE INDEX address_recent ON address (family, created_at);

-- What a second node said of our blocks at the last look; NULL where there is none, or before the first look.
ALTER TABLE chain_cursor
  ADD COLUMN cross_check text CHECK (cross_check IN ('agrees', 'silent', 'disagrees'));
