-- What a transfer says never changes: so much of an asset to an address, at a place of a transaction. Where a transaction
-- is mined again and pays something else in the same place, that is another transfer; the former one is missing, and
-- keeps counting and hands on its time by the rules that hold between any two of which at most one is true.
ALTER TABLE transfer
  DROP CONSTRAINT transfer_network_txid_output_key,
  ADD CONSTRAINT transfer_movement UNIQUE (network, txid, output, address, asset, amount_atoms);
CREATE UNIQUE INDEX transfer_place ON transfer (network, txid, output) WHERE state IN ('mempool', 'included');

DROP TRIGGER transfer_observed_time ON transfer;
CREATE OR REPLACE FUNCTION keep_observed_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.observed_at := observed_time(NEW.family, NEW.first_seen_at, NEW.block_time, NEW.blind_since);
  ELSIF NEW.family = 'evm' THEN
    NEW.observed_at := least(NEW.observed_at, NEW.first_seen_at, NEW.block_time);
  ELSE
    NEW.observed_at := least(NEW.observed_at, NEW.first_seen_at);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER transfer_observed_time BEFORE INSERT OR UPDATE OF first_seen_at, block_time, observed_at ON transfer
  FOR EACH ROW EXECUTE FUNCTION keep_observed_time();
DROP FUNCTION earliest_portions(jsonb, numeric, timestamptz, numeric);

-- [{ atoms, at, seenAt }]: what is inherited counts from `at`, and was seen by us at `seenAt`. Until now both were taken
-- for one.
UPDATE transfer t
   SET inherited = (SELECT jsonb_agg(p || jsonb_build_object('seenAt', p->'at') ORDER BY n)
                      FROM jsonb_array_elements(t.inherited) WITH ORDINALITY AS e (p, n))
 WHERE t.inherited <> '[]';
