-- In which language somebody reads the dashboard, and is written to: as they chose it there, or as the browser asked when
-- they first came. NULL until then. A mail keeps the language that it was written in.
ALTER TABLE person ADD COLUMN language text CHECK (language IN ('en', 'de'));
ALTER TABLE outgoing_mail ADD COLUMN language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'de'));
