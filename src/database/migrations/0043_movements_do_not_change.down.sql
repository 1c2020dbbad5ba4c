UPDATE transfer t
   SET inherited = (SELECT jsonb_agg(p - 'seenAt' ORDER BY n)
                      FROM jsonb_array_elements(t.inherited) WITH ORDINALITY AS e (p, n))
 WHERE t.inherited <> '[]';

-- One transfer for each place: the others are nobody's money, and no block will find them again.
UPDATE transfer t SET output = t.output || '~' || t.id
  FROM (SELECT id, row_number() OVER (PARTITION BY network, txid, output
                                      ORDER BY state IN ('mempool', 'included') DESC, superseded, first_seen_at DESC, id) AS n
          FROM transfer) r
 WHERE t.id = r.id AND r.n > 1;

DROP INDEX transfer_place;
ALTER TABLE transfer
  DROP CONSTRAINT transfer_movement,
  ADD CONSTRAINT transfer_network_txid_output_key UNIQUE (network, txid, output);

CREATE FUNCTION earliest_portions(inherited jsonb, amount_atoms numeric, observed_at timestamptz, most_atoms numeric)
RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH portion AS (
    SELECT (p->>'atoms')::numeric AS atoms, (p->>'at')::timestamptz AS at FROM jsonb_array_elements(inherited) p
    UNION ALL
    SELECT amount_atoms - coalesce(sum((p->>'atoms')::numeric), 0), observed_at FROM jsonb_array_elements(inherited) p
  ), running AS (
    SELECT at, atoms, sum(atoms) OVER (ORDER BY at, atoms ROWS UNBOUNDED PRECEDING) - atoms AS before FROM portion
     WHERE atoms > 0
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('atoms', least(atoms, most_atoms - before)::text, 'at', at) ORDER BY at, before),
                  '[]')
    FROM running WHERE before < most_atoms
$$;

CREATE OR REPLACE FUNCTION keep_observed_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.observed_at := observed_time(NEW.family, NEW.first_seen_at, NEW.block_time, NEW.blind_since);
  ELSIF (NEW.subject, NEW.address, NEW.asset) IS DISTINCT FROM (OLD.subject, OLD.address, OLD.asset)
     OR NEW.amount_atoms <> OLD.amount_atoms THEN
    NEW.inherited := CASE
      WHEN (NEW.subject, NEW.address, NEW.asset) IS DISTINCT FROM (OLD.subject, OLD.address, OLD.asset) THEN '[]'
      -- What another transaction is credited for in its place has handed its time to that one, and gets it back from it.
      WHEN OLD.superseded OR OLD.state = 'replaced' THEN '[]'
      ELSE earliest_portions(OLD.inherited, OLD.amount_atoms, OLD.observed_at, NEW.amount_atoms)
    END;
    NEW.first_seen_at := clock_timestamp();
    NEW.observed_at := observed_time(NEW.family, NEW.first_seen_at, NEW.block_time, NEW.blind_since);
  ELSIF NEW.family = 'evm' THEN
    NEW.observed_at := least(NEW.observed_at, NEW.first_seen_at, NEW.block_time);
  ELSE
    NEW.observed_at := least(NEW.observed_at, NEW.first_seen_at);
  END IF;
  RETURN NEW;
END $$;

DROP TRIGGER transfer_observed_time ON transfer;
CREATE TRIGGER transfer_observed_time
  BEFORE INSERT OR UPDATE OF first_seen_at, block_time, observed_at, subject, address, asset, amount_atoms ON transfer
  FOR EACH ROW EXECUTE FUNCTION keep_observed_time();
