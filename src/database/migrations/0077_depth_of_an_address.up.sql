-- How deep a block must be to decide about money at this address, as the merchant chose it when the address was issued. The
-- chains read it here; null: as deep as the network says.
ALTER TABLE address ADD COLUMN confirmation_depth text;
UPDATE address a SET confirmation_depth = q.confirmation_depth
  FROM quote q WHERE q.family = a.family AND q.watched_address = a.address;
