-- What deposit addresses without keys paid out to their destinations, as the blocks say that are on the chain now: what a
-- reorganisation undoes is removed, and written again when it is found again.
CREATE TABLE collection (
  network      text COLLATE "C" NOT NULL,
  txid         text NOT NULL,
  output       text NOT NULL,              -- 'log:<position in its transaction>'
  asset        text NOT NULL,
  family       text NOT NULL DEFAULT 'evm' CHECK (family = 'evm'),
  address      text NOT NULL,
  amount_atoms numeric(78, 0) NOT NULL CHECK (amount_atoms > 0),
  block_height bigint NOT NULL,
  block_hash   text NOT NULL,
  block_time   timestamptz NOT NULL,
  PRIMARY KEY (network, txid, output),
  FOREIGN KEY (family, address) REFERENCES address (family, address)
);
CREATE INDEX collection_address ON collection (address);
CREATE INDEX collection_height ON collection (network, block_height);
