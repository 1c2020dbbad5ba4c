-- A shard for each session, instead of one by chance: transactions of one session never overlap, and the sessions of a pool have
-- numbers that mostly follow one another.
DO $$
DECLARE
  was    text := pg_get_functiondef('count_on_days()'::regprocedure);
  is_now text := replace(was, 'floor(random() * 64)', 'pg_backend_pid() % 64');
BEGIN
  IF is_now = was THEN RAISE EXCEPTION 'count_on_days() is not that of migration 0089'; END IF;
  EXECUTE is_now;
END $$;
