-- A function that looks for its tables when it is called finds a temporary table of the same name first, and whoever is at the
-- service's connection may make one: events were queued there instead of for the log, and a named address was issued. What
-- stands in PL/pgSQL looks at temporary tables last from now on; what stands in SQL is bound to its tables now, which leaves
-- it to be inlined as before.
DO $$
DECLARE
  f text;
  written text;
BEGIN
  FOREACH f IN ARRAY ARRAY['count_on_days()', 'keep_observed_time()', 'name_address()', 'queue_for_event_log()',
                           'refund_follows_cursor()', 'refund_starts_at_cursor()', 'refuse_change()',
                           'refuse_change_but_forgetting()', 'refuse_named_address()', 'refuse_refund_beyond_money()'] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', f, current_schema());
  END LOOP;
  -- Each after those that it calls. The statement of each stays as it was written.
  FOREACH f IN ARRAY ARRAY['is_depth(text)', 'observed_time(text, timestamptz, timestamptz, timestamptz)',
                           'has_depth(text, bigint, text)', 'refundable(text)', 'refunded_beyond(text)', 'days_of(intent)'] LOOP
    written := (SELECT prosrc FROM pg_proc WHERE oid = f::regprocedure);
    EXECUTE split_part(pg_get_functiondef(f::regprocedure), 'AS $function$', 1) || 'BEGIN ATOMIC ' || written || '; END';
  END LOOP;
END $$;
