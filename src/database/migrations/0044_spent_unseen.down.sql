ALTER TABLE chain_block DROP COLUMN spenders;
