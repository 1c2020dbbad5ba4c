-- A refund is looked for above the block at which it was asked, in blocks that the watcher has passed. Where those are
-- given up, neither the one nor the other says anything of the blocks that come in their place: whoever moves the cursor
-- back, moves these heights back with it.
CREATE FUNCTION refund_follows_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE refund SET asked_height = least(asked_height, NEW.height), searched_height = NEW.height, searched_hash = NULL
   WHERE network = NEW.network AND searched_height > NEW.height;
  RETURN NULL;
END $$;
CREATE TRIGGER refund_follows_cursor AFTER UPDATE OF height ON chain_cursor
  FOR EACH ROW WHEN (NEW.height < OLD.height) EXECUTE FUNCTION refund_follows_cursor();

-- One that is asked meanwhile waits for the cursor, and the cursor for it: none is asked above where it stands.
CREATE FUNCTION refund_starts_at_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  reached bigint;
BEGIN
  -- Whoever stalls with the cursor in hand is let go as soon as a watcher that does (see `fenced`).
  PERFORM set_config('idle_in_transaction_session_timeout', '3s', true);
  SELECT height INTO reached FROM chain_cursor WHERE network = NEW.network FOR SHARE;
  NEW.asked_height := least(NEW.asked_height, reached);
  NEW.searched_height := least(NEW.searched_height, reached);
  RETURN NEW;
END $$;
CREATE TRIGGER refund_starts_at_cursor BEFORE INSERT ON refund
  FOR EACH ROW EXECUTE FUNCTION refund_starts_at_cursor();

-- Those that stand above a cursor that has gone back already.
UPDATE refund f SET asked_height = least(f.asked_height, c.height), searched_height = c.height, searched_hash = NULL
  FROM chain_cursor c WHERE c.network = f.network AND f.searched_height > c.height;

-- Final money that nobody quoted was passed over where its asset or network was configured no more: it is looked at again.
INSERT INTO fact_change (subject)
SELECT DISTINCT t.subject FROM transfer t JOIN intent i ON i.id = t.subject
 WHERE t.final AND t.state = 'included' AND NOT t.own AND NOT t.superseded
   AND i.status IN ('settled', 'failed', 'expired', 'cancelled')
   AND NOT EXISTS (SELECT FROM unsettled_money u WHERE u.intent_id = i.id AND u.transfer_id = t.id)
   AND NOT EXISTS (SELECT FROM quote q WHERE q.intent_id = i.id AND q.network = t.network AND q.asset = t.asset)
ON CONFLICT DO NOTHING;

-- Of those that wait and of those that are over alike: a second payment is looked for as well.
DROP INDEX refund_open;
CREATE INDEX refund_searched ON refund (network, searched_height);
