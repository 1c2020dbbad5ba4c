-- A merchant's events in the order of their commit (ADR 40). A position is given once, after the commit: whoever has read
-- up to one will never find a new event before it.
CREATE TABLE event_log (
  merchant_id text COLLATE "C" NOT NULL REFERENCES merchant (id),
  position    bigint NOT NULL CHECK (position > 0),
  event_id    text COLLATE "C" NOT NULL UNIQUE REFERENCES event (id),
  PRIMARY KEY (merchant_id, position)
);
CREATE TRIGGER event_log_is_append_only BEFORE UPDATE OR DELETE ON event_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Events without a position yet. Those that one look finds together are placed by their arrival: an event that was
-- written after the commit of another, or under the same intent's lock, has the later one.
CREATE TABLE event_log_pending (
  arrival     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL,
  event_id    text COLLATE "C" NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX event_log_pending_merchant ON event_log_pending (merchant_id, arrival);

-- A trigger, so that nothing that writes events can forget it: not even an older version that still runs.
CREATE FUNCTION queue_for_event_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A test of an endpoint says nothing about any payment.
  INSERT INTO event_log_pending (merchant_id, event_id)
  SELECT merchant_id, id FROM written WHERE type <> 'webhook.test' ORDER BY subject, type, sequence;
  RETURN NULL;
END $$;
CREATE TRIGGER event_is_queued_for_log AFTER INSERT ON event REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION queue_for_event_log();

-- What was written before: by its time, but never before an earlier event of the same subject.
INSERT INTO event_log (merchant_id, position, event_id)
SELECT merchant_id, row_number() OVER (PARTITION BY merchant_id ORDER BY due, subject, type, sequence), id
FROM (
  SELECT id, merchant_id, subject, type, sequence,
         max(created_at) OVER (PARTITION BY subject, type ORDER BY sequence) AS due
  FROM event WHERE type <> 'webhook.test') AS e;
