CREATE OR REPLACE FUNCTION refund_follows_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE refund SET asked_height = least(asked_height, NEW.height), searched_height = NEW.height, searched_hash = NULL
   WHERE network = NEW.network AND searched_height > NEW.height;
  RETURN NULL;
END $$;
ALTER TABLE refund DROP COLUMN given_up_at;
