ALTER TABLE guess_delay DROP COLUMN counted_from;
