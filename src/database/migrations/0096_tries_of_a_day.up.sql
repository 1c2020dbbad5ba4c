-- From when on the tries of strangers are counted of which a person is told, however slowly they come.
ALTER TABLE guess_delay ADD COLUMN counted_from timestamptz NOT NULL DEFAULT clock_timestamp();
