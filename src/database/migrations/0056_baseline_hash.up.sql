-- A baseline rests on a block, as a transfer does: of one that the chain has given up nothing may be left.
ALTER TABLE coin_baseline ADD COLUMN hash text;
UPDATE coin_baseline b SET hash = c.hash FROM chain_block c WHERE c.network = b.network AND c.height = b.height;
-- What stands in no block has none of its marks: what is looked for by the one is found by the other.
ALTER TABLE transfer
  ADD CONSTRAINT transfer_in_no_block CHECK (state = 'included' OR (block_height IS NULL AND NOT final)) NOT VALID;
