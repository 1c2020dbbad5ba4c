-- Where a payment stands is where one of its transitions led; that it is the last one nothing said, nor that its times stay: a
-- settled payment could be set back, or be moved to another accounting period. Conditions of triggers, so that a function runs for a
-- refusal alone; after the statement, because one before it would lock each row once more.
CREATE FUNCTION refuse_undoing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what has happened to a row of % stays', TG_TABLE_NAME
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;
-- Or somebody's temporary table of the same name would come first.
DO $$ BEGIN EXECUTE format('ALTER FUNCTION refuse_undoing() SET search_path = %I, pg_temp', current_schema()); END $$;

-- It moves with its sequence, upwards; only then it becomes confirmed and settled, each once. Once it is over, another quote is
-- shown by an accept alone, and when it was complete is no question any more. Until then a reorganisation may take a completion.
CREATE TRIGGER intent_goes_on AFTER UPDATE ON intent FOR EACH ROW
  WHEN (NEW.sequence < OLD.sequence
    OR (NEW.sequence = OLD.sequence) <> (NEW.status = OLD.status)
    OR (NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at AND (NEW.sequence = OLD.sequence OR OLD.confirmed_at IS NOT NULL))
    OR (NEW.settled_at IS DISTINCT FROM OLD.settled_at AND (NEW.sequence = OLD.sequence OR OLD.settled_at IS NOT NULL))
    OR (NEW.sequence = OLD.sequence AND OLD.status IN ('settled', 'failed', 'expired', 'cancelled')
        AND (NEW.quote_id, NEW.completed_at) IS DISTINCT FROM (OLD.quote_id, OLD.completed_at)))
  EXECUTE FUNCTION refuse_undoing();
-- By its decision it is final.
CREATE TRIGGER refund_stays_final AFTER UPDATE OF decision_id ON refund FOR EACH ROW
  WHEN (OLD.decision_id IS NOT NULL AND NEW.decision_id IS DISTINCT FROM OLD.decision_id)
  EXECUTE FUNCTION refuse_undoing();
CREATE TRIGGER api_key_stays_revoked AFTER UPDATE OF revoked_at ON api_key FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
  EXECUTE FUNCTION refuse_undoing();
CREATE TRIGGER webhook_endpoint_stays_deleted AFTER UPDATE OF deleted_at ON webhook_endpoint FOR EACH ROW
  WHEN (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at)
  EXECUTE FUNCTION refuse_undoing();
