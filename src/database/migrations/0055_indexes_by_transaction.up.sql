-- There are few networks and many transactions: an index that begins with the network is read from end to end where
-- the planner knows nothing of a table yet, as in the first minutes of a new instance.
ALTER TABLE transfer DROP CONSTRAINT transfer_movement;
ALTER TABLE transfer
  ADD CONSTRAINT transfer_movement UNIQUE (txid, output, address, asset, amount_atoms, network);
DROP INDEX transfer_place;
CREATE UNIQUE INDEX transfer_place ON transfer (txid, output, network) WHERE state IN ('mempool', 'included');
DROP INDEX transfer_txid;
-- Only for who asks by block: what stands in one has a height, and is found by its subject otherwise.
DROP INDEX transfer_included;
CREATE INDEX transfer_included ON transfer (network, block_height) WHERE block_height IS NOT NULL;
-- What the balances of the newest addresses are compared with at every step. The words of `IS_COIN`.
CREATE INDEX transfer_coin ON transfer (subject)
  WHERE output NOT LIKE 'log:%' AND output NOT LIKE 'token:%' AND state = 'included';
