DELETE FROM known_device WHERE awaits_second_step;
ALTER TABLE known_device DROP COLUMN awaits_second_step;
