ALTER TABLE transfer DROP COLUMN spends, DROP COLUMN conflict_block;
