ALTER TABLE reconciliation DROP COLUMN comparing_height;
