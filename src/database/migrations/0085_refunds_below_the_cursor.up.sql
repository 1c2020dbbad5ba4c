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
  SELECT height INTO reached FROM chain_cursor WHERE network = NEW.network FOR SHARE;
  NEW.asked_height := least(NEW.asked_height, reached);
  NEW.searched_height := least(NEW.searched_height, reached);
  RETURN NEW;
END $$;
CREATE TRIGGER refund_starts_at_cursor BEFORE INSERT ON refund
  FOR EACH ROW EXECUTE FUNCTION refund_starts_at_cursor();

-- Of those that wait and of those that are over alike: a second payment is looked for as well.
DROP INDEX refund_open;
CREATE INDEX refund_searched ON refund (network, searched_height);
