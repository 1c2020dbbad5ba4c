ALTER TABLE alert_notice DROP COLUMN collected;
DROP TABLE alert_mail;
