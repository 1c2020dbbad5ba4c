ALTER TABLE chain_cursor DROP COLUMN cross_check;
DROP INDEX address_recent;
DROP TABLE coin_baseline;
