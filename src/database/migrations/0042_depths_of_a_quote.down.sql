ALTER TABLE quote DROP COLUMN settlement_depths;
