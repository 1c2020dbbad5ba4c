-- A retry whose time has not come: what is looked through for what is due has none of these. Taken away once it has come.
ALTER TABLE delivery ADD COLUMN delayed boolean NOT NULL DEFAULT false;
DROP INDEX delivery_due;
UPDATE delivery SET delayed = true WHERE state = 'pending' AND attempts > 0 AND next_attempt_at > now();
ALTER TABLE delivery ADD CONSTRAINT delivery_delayed CHECK (NOT delayed OR (state = 'pending' AND attempts > 0));
CREATE INDEX delivery_due ON delivery (endpoint_id, next_attempt_at) WHERE state = 'pending' AND NOT delayed;
-- The same rows, said in two ways: while there are none, either index would look as good to a statement that is planned for long.
CREATE INDEX delivery_delayed_until ON delivery (next_attempt_at) WHERE delayed AND attempts > 0;
CREATE INDEX delivery_delayed_of ON delivery (endpoint_id, next_attempt_at) WHERE state = 'pending' AND delayed;
-- Those whose deliveries are still to follow, among all that there are.
CREATE INDEX webhook_endpoint_settling ON webhook_endpoint (id) WHERE settling_since IS NOT NULL;
