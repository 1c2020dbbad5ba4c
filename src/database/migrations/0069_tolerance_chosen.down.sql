ALTER TABLE merchant DROP COLUMN tolerance_chosen;
