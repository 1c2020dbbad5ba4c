-- What a merchant's figures of days say, kept by the database as intents are written, whoever writes them: reading them costs
-- the same whatever the number of payments. Days are those of UTC. One of sixty-four shards is taken by chance, so that few
-- creations wait for each other's commit.
LOCK TABLE intent IN SHARE ROW EXCLUSIVE MODE;
CREATE TABLE intent_day (
  merchant_id     text COLLATE "C" NOT NULL REFERENCES merchant (id),
  day             date NOT NULL,
  currency        text NOT NULL,
  shard           smallint NOT NULL CHECK (shard BETWEEN 0 AND 63),
  created         bigint NOT NULL DEFAULT 0, -- created on this day,
  created_settled bigint NOT NULL DEFAULT 0, -- and of these settled since
  settled         bigint NOT NULL DEFAULT 0, -- settled on this day,
  settled_minor   bigint NOT NULL DEFAULT 0, -- for so much,
  forgiven        bigint NOT NULL DEFAULT 0, -- and of these for less than their price, by a standing tolerance or rule,
  forgiven_minor  bigint NOT NULL DEFAULT 0, -- by so much
  PRIMARY KEY (merchant_id, day, currency, shard)
) WITH (fillfactor = 50);

-- What one intent is in these figures. Its record of settlement is written by the statement that settles it.
CREATE FUNCTION days_of(i intent) RETURNS TABLE (
  merchant_id text, day date, currency text, created bigint, created_settled bigint, settled bigint, settled_minor bigint, short bigint
) LANGUAGE sql STABLE AS $$
  SELECT i.merchant_id, (i.created_at AT TIME ZONE 'UTC')::date, i.currency, 1, (i.settled_at IS NOT NULL)::int, 0, 0, 0
  UNION ALL
  SELECT i.merchant_id, (i.settled_at AT TIME ZONE 'UTC')::date, i.currency, 0, 0, 1, i.amount_minor,
         coalesce((SELECT greatest(i.amount_minor - s.fiat_minor, 0) FROM settlement s
                    WHERE s.intent_id = i.id AND coalesce(s.accepted_by, 'rule:') LIKE 'rule:%'), 0)
   WHERE i.settled_at IS NOT NULL
$$;

-- As the tables' owner: the role that the service runs as may read these figures and not write them.
CREATE FUNCTION count_on_days() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.settled_at IS NULL THEN
    INSERT INTO intent_day AS d (merchant_id, day, currency, shard, created)
    VALUES (NEW.merchant_id, (NEW.created_at AT TIME ZONE 'UTC')::date, NEW.currency, floor(random() * 64), 1)
    ON CONFLICT (merchant_id, day, currency, shard) DO UPDATE SET created = d.created + 1;
    RETURN NULL;
  END IF;
  INSERT INTO intent_day AS d
    (merchant_id, day, currency, shard, created, created_settled, settled, settled_minor, forgiven, forgiven_minor)
  SELECT merchant_id, day, currency, floor(random() * 64), sum(n * created), sum(n * created_settled), sum(n * settled),
         sum(n * settled_minor), sum(n * (short > 0)::int), sum(n * short)
    FROM (SELECT -1 AS n, was.* FROM days_of(OLD) was WHERE TG_OP = 'UPDATE'
          UNION ALL
          SELECT 1, is_now.* FROM days_of(NEW) is_now) AS changed
   GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (merchant_id, day, currency, shard) DO UPDATE
    SET created = d.created + excluded.created, created_settled = d.created_settled + excluded.created_settled,
        settled = d.settled + excluded.settled, settled_minor = d.settled_minor + excluded.settled_minor,
        forgiven = d.forgiven + excluded.forgiven, forgiven_minor = d.forgiven_minor + excluded.forgiven_minor;
  RETURN NULL;
END $$;
-- Or somebody's temporary table of the same name would come first.
DO $$ BEGIN EXECUTE format('ALTER FUNCTION count_on_days() SET search_path = %I, pg_temp', current_schema()); END $$;
-- No intent is ever deleted.
CREATE TRIGGER intent_is_counted AFTER INSERT ON intent FOR EACH ROW EXECUTE FUNCTION count_on_days();
CREATE TRIGGER intent_is_counted_anew AFTER UPDATE ON intent FOR EACH ROW
  WHEN ((OLD.merchant_id, OLD.currency, OLD.amount_minor, OLD.created_at, OLD.settled_at)
        IS DISTINCT FROM (NEW.merchant_id, NEW.currency, NEW.amount_minor, NEW.created_at, NEW.settled_at))
  EXECUTE FUNCTION count_on_days();

INSERT INTO intent_day (merchant_id, day, currency, shard, created, created_settled, settled, settled_minor, forgiven, forgiven_minor)
SELECT d.merchant_id, d.day, d.currency, 0, sum(d.created), sum(d.created_settled), sum(d.settled), sum(d.settled_minor),
       sum((d.short > 0)::int), sum(d.short)
  FROM intent i, days_of(i) d GROUP BY 1, 2, 3;
