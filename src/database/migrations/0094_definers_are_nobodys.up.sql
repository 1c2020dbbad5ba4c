-- What runs as the tables' owner is for the triggers that call it, and a trigger's function is asked for its right when the
-- trigger is made, not when it fires. Whoever may execute it can put it on a temporary table with the columns of `intent` and
-- write the figures of days by inserting there. `migrate` takes it again from whoever gets it back (a dump without privileges).
REVOKE EXECUTE ON FUNCTION count_on_days() FROM PUBLIC;
