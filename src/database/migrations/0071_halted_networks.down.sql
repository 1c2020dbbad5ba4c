ALTER TABLE watch_failure DROP COLUMN halted;
