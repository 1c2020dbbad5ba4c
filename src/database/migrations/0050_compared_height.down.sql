ALTER TABLE reconciliation DROP COLUMN compared_height, DROP COLUMN whole_at;
