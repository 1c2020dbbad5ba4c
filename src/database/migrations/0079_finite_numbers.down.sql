DO $$
DECLARE amount record;
BEGIN
  FOR amount IN SELECT conrelid::regclass AS of, conname AS name FROM pg_constraint WHERE conname LIKE '%\_is\_finite' LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', amount.of, amount.name);
  END LOOP;
END $$;
