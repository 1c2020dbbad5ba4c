ALTER TABLE merchant DROP COLUMN alert_emails;
DROP TABLE alert_notice, alert;
