DROP INDEX webhook_endpoint_settling, delivery_due;
ALTER TABLE delivery DROP COLUMN delayed;
CREATE INDEX delivery_due ON delivery (endpoint_id, next_attempt_at) WHERE state = 'pending';
