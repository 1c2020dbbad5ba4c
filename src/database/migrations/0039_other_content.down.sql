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
DROP TRIGGER transfer_observed_time ON transfer;
CREATE TRIGGER transfer_observed_time BEFORE INSERT OR UPDATE OF first_seen_at, block_time, observed_at ON transfer
  FOR EACH ROW EXECUTE FUNCTION keep_observed_time();
DROP FUNCTION earliest_portions(jsonb, numeric, timestamptz, numeric);
