-- What decides about money has a value that can decide: a depth that is none would never be reached, a tolerance beyond the
-- whole price could not be calculated, and no number is more than zero. The service writes none of these; a hand might.
CREATE FUNCTION is_depth(depth text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT depth ~ '^([1-9][0-9]?|100|safe|finalized)$'
$$;
-- 0.1.0 took any number of blocks. Nobody counts beyond a hundred, so these waited for ever.
CREATE FUNCTION counted_depth(depth text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN NOT is_depth(depth) AND depth ~ '^[0-9]+$' THEN '100' ELSE depth END
$$;
UPDATE quote
   SET confirmation_depth = counted_depth(confirmation_depth), settlement_depth = counted_depth(settlement_depth),
       settlement_depths = CASE WHEN settlement_depths IS NOT NULL THEN ARRAY(
         SELECT counted_depth(d) FROM unnest(settlement_depths) WITH ORDINALITY u (d, n) ORDER BY n) END
 WHERE NOT (is_depth(confirmation_depth) AND is_depth(settlement_depth))
    OR EXISTS (SELECT FROM unnest(settlement_depths) d WHERE NOT is_depth(d));
-- Append-only for whoever uses it.
ALTER TABLE unsettled_money DISABLE TRIGGER unsettled_money_is_append_only;
UPDATE unsettled_money SET depth = counted_depth(depth) WHERE NOT is_depth(depth);
ALTER TABLE unsettled_money ENABLE TRIGGER unsettled_money_is_append_only;
UPDATE address SET confirmation_depth = counted_depth(confirmation_depth) WHERE NOT is_depth(confirmation_depth);
DROP FUNCTION counted_depth(text);

ALTER TABLE quote
  ADD CONSTRAINT quote_decimals CHECK (decimals BETWEEN 0 AND 36),
  ADD CONSTRAINT quote_spread CHECK (spread_bps BETWEEN 0 AND 1000),
  ADD CONSTRAINT quote_tolerance CHECK (tolerance_bps BETWEEN 0 AND 1000),
  ADD CONSTRAINT quote_depths CHECK (is_depth(confirmation_depth) AND is_depth(settlement_depth)),
  ADD CONSTRAINT quote_settlement_depths CHECK (
    array_lower(settlement_depths, 1) = 1 AND array_position(settlement_depths, NULL) IS NULL
    AND is_depth(settlement_depths[1]) AND is_depth(settlement_depths[2])
    AND is_depth(settlement_depths[3]) AND is_depth(settlement_depths[4]));
ALTER TABLE unsettled_money ADD CONSTRAINT unsettled_money_depth CHECK (is_depth(depth));
ALTER TABLE address ADD CONSTRAINT address_confirmation_depth CHECK (is_depth(confirmation_depth));

-- 'NaN' is greater than any number to PostgreSQL, and passes `> 0`.
DO $$
DECLARE amount record;
BEGIN
  FOR amount IN
    SELECT a.attrelid::regclass AS of, a.attname AS name
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.atttypid = 'numeric'::regtype
       AND a.attnum > 0 AND NOT a.attisdropped
  LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%I <> ''NaN'')', amount.of, amount.name || '_is_a_number', amount.name);
  END LOOP;
END $$;
