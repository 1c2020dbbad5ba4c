ALTER TABLE webhook_endpoint DROP COLUMN notice_due;
DROP INDEX delivery_attempt_age, delivery_failed, delivery_log;
