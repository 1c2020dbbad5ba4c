-- A shard for each session, instead of one by chance: transactions of one session never overlap, and the sessions of a pool have
-- numbers that follow one another. Sixteen sessions created a fifth more payments a second.
DO $$ BEGIN
  EXECUTE replace(pg_get_functiondef('count_on_days()'::regprocedure), 'floor(random() * 64)', 'pg_backend_pid() % 64');
END $$;
