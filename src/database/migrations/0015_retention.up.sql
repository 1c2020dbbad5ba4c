-- When a job that one instance does for all was last begun. Whoever moves the time on does it.
CREATE TABLE job_run (
  name       text PRIMARY KEY,
  started_at timestamptz NOT NULL
);

-- What happened is kept for ever, from which address it was done is not. The database still refuses any other change,
-- and refuses this one for as long as the address may be needed to understand what happened.
CREATE FUNCTION refuse_change_but_forgetting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.address IS NULL AND OLD.at < clock_timestamp() - interval '7 days'
     AND to_jsonb(NEW) - 'address' = to_jsonb(OLD) - 'address' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
DROP TRIGGER audit_entry_is_append_only ON audit_entry;
CREATE TRIGGER audit_entry_is_append_only BEFORE UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change_but_forgetting();
CREATE INDEX audit_entry_address ON audit_entry (at) WHERE address IS NOT NULL;

-- Retention walks the primary key from its oldest end. A summary of block ranges would cover all ages once the room
-- of removed attempts is used again.
DROP INDEX delivery_attempt_age;
