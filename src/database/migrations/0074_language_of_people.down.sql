ALTER TABLE outgoing_mail DROP COLUMN language;
ALTER TABLE person DROP COLUMN language;
