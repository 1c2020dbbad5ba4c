-- What the dashboard and the command line list, newest first; `since` is a range of the same index.
CREATE INDEX delivery_log ON delivery (endpoint_id, created_at, id);
-- Redelivery of what failed: without it a handful would be looked for among millions that arrived.
CREATE INDEX delivery_failed ON delivery (endpoint_id, created_at, id) WHERE state = 'failed';
-- Retention: attempts are inserted in the order of their time, so a summary per range of blocks finds the old ones
-- and costs an insert nothing.
CREATE INDEX delivery_attempt_age ON delivery_attempt USING brin (started_at) WITH (autosummarize = on);

-- The service disabled it, and its merchant has not been told yet. Set by the statement that disables.
ALTER TABLE webhook_endpoint ADD COLUMN notice_due boolean NOT NULL DEFAULT false;
CREATE INDEX webhook_endpoint_notice_due ON webhook_endpoint (id) WHERE notice_due;
