DROP INDEX transfer_coin;
DROP INDEX transfer_included;
CREATE INDEX transfer_included ON transfer (network, block_height) WHERE state = 'included';
CREATE INDEX transfer_txid ON transfer (txid);
DROP INDEX transfer_place;
CREATE UNIQUE INDEX transfer_place ON transfer (network, txid, output) WHERE state IN ('mempool', 'included');
ALTER TABLE transfer DROP CONSTRAINT transfer_movement;
ALTER TABLE transfer
  ADD CONSTRAINT transfer_movement UNIQUE (network, txid, output, address, asset, amount_atoms);
