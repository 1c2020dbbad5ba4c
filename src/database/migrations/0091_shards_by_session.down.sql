DO $$
DECLARE
  was    text := pg_get_functiondef('count_on_days()'::regprocedure);
  is_now text := replace(was, 'pg_backend_pid() % 64', 'floor(random() * 64)');
BEGIN
  IF is_now = was THEN RAISE EXCEPTION 'count_on_days() is not that of migration 0089'; END IF;
  EXECUTE is_now;
END $$;
