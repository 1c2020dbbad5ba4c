-- 'Infinity' passes `> 0` too. Where a column names its precision PostgreSQL refuses it.
DO $$
DECLARE amount record;
BEGIN
  FOR amount IN
    SELECT a.attrelid::regclass AS of, a.attname AS name
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.atttypid = 'numeric'::regtype
       AND a.atttypmod = -1 AND a.attnum > 0 AND NOT a.attisdropped
  LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%I NOT IN (''Infinity'', ''-Infinity''))',
                   amount.of, amount.name || '_is_finite', amount.name);
  END LOOP;
END $$;
