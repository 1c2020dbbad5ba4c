ALTER TABLE alert DROP CONSTRAINT IF EXISTS alert_kind_check;
-- Not for the rows that are there: what was raised stays.
ALTER TABLE alert ADD CONSTRAINT alert_kind_check
  CHECK (kind IN ('review-entry', 'reorganised-after-settlement', 'webhook-endpoint-disabled',
                  'network-unavailable', 'rates-unavailable', 'nodes-disagree')) NOT VALID;
