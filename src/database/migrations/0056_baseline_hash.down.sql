ALTER TABLE transfer DROP CONSTRAINT transfer_in_no_block;
ALTER TABLE coin_baseline DROP COLUMN hash;
