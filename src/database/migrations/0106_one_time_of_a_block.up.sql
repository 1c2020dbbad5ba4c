-- A block's hash stands for its time. The service's role may change both, because a reorganisation puts a transfer into another
-- block, and on EVM networks an earlier block makes it observed earlier (0043): of the same block an earlier time made what came late
-- be in time. A condition of a trigger, as in 0097.
CREATE TRIGGER transfer_keeps_time_of_block AFTER UPDATE OF block_time ON transfer FOR EACH ROW
  WHEN (NEW.block_hash = OLD.block_hash AND NEW.block_time IS DISTINCT FROM OLD.block_time)
  EXECUTE FUNCTION refuse_undoing();
