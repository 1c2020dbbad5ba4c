-- What else has not followed is put right by the service of before; it does not know of these.
UPDATE delivery d SET state = 'failed' FROM webhook_endpoint w
WHERE w.id = d.endpoint_id AND d.id <= w.given_up_to AND d.state IN ('pending', 'held');
ALTER TABLE webhook_endpoint DROP COLUMN given_up_to, DROP COLUMN settling_since;
