-- A change of an endpoint is one row, and its deliveries follow in batches: how many wait is the outside's to say.
-- settling_since: enabled then, and not all have followed; given_up_to: enabled without what had waited up to this delivery.
ALTER TABLE webhook_endpoint ADD COLUMN settling_since timestamptz, ADD COLUMN given_up_to bigint,
  ADD CONSTRAINT webhook_endpoint_given_up CHECK (given_up_to IS NULL OR settling_since IS NOT NULL);
