DROP INDEX address_issued;
DROP TABLE chain_difference;
DROP TABLE reconciliation;
ALTER TABLE extended_key DROP COLUMN first_index;
