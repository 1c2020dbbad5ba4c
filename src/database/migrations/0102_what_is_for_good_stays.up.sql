-- What the service never takes back, its role could: a closed merchant was approved again, a used link opened again. As in 0097,
-- conditions of triggers, after the statement.
CREATE TRIGGER merchant_stays_closed AFTER UPDATE OF status ON merchant FOR EACH ROW
  WHEN (OLD.status = 'closed' AND NEW.status <> 'closed')
  EXECUTE FUNCTION refuse_undoing();
-- Used, spent or ended it stays so, and no link is good for longer than was said. One that ends this instant may do so
-- microseconds after its time.
CREATE TRIGGER one_time_link_stays_over AFTER UPDATE OF used_at, spent_at, ended_as, expires_at ON one_time_link FOR EACH ROW
  WHEN ((OLD.used_at IS NOT NULL AND NEW.used_at IS DISTINCT FROM OLD.used_at)
    OR (OLD.spent_at IS NOT NULL AND NEW.spent_at IS DISTINCT FROM OLD.spent_at)
    OR (OLD.ended_as IS NOT NULL AND NEW.ended_as IS DISTINCT FROM OLD.ended_as)
    OR (NEW.expires_at > OLD.expires_at AND NEW.expires_at > clock_timestamp()))
  EXECUTE FUNCTION refuse_undoing();
CREATE TRIGGER recovery_code_stays_used AFTER UPDATE OF used_at ON recovery_code FOR EACH ROW
  WHEN (OLD.used_at IS NOT NULL AND NEW.used_at IS DISTINCT FROM OLD.used_at)
  EXECUTE FUNCTION refuse_undoing();
-- An account that was taken, and how its address was proved: without the first an invitation would set its password anew.
CREATE TRIGGER person_stays_known AFTER UPDATE OF registered_at, email_proven_at, email_proven_by ON person FOR EACH ROW
  WHEN ((OLD.registered_at IS NOT NULL AND NEW.registered_at IS DISTINCT FROM OLD.registered_at)
    OR (OLD.email_proven_at IS NOT NULL
        AND (NEW.email_proven_at, NEW.email_proven_by) IS DISTINCT FROM (OLD.email_proven_at, OLD.email_proven_by)))
  EXECUTE FUNCTION refuse_undoing();
-- Money that is not sent back after all may be decided about anew; the refund itself is over.
CREATE TRIGGER refund_stays_withdrawn AFTER UPDATE OF state ON refund FOR EACH ROW
  WHEN (OLD.state = 'withdrawn' AND NEW.state <> 'withdrawn')
  EXECUTE FUNCTION refuse_undoing();
-- A trouble that comes back is another alert.
CREATE TRIGGER alert_stays_over AFTER UPDATE OF resolved_at, acknowledged_at, acknowledged_by, acknowledged_note ON alert FOR EACH ROW
  WHEN ((OLD.resolved_at IS NOT NULL AND NEW.resolved_at IS DISTINCT FROM OLD.resolved_at)
    OR (OLD.acknowledged_at IS NOT NULL
        AND (NEW.acknowledged_at, NEW.acknowledged_by, NEW.acknowledged_note)
            IS DISTINCT FROM (OLD.acknowledged_at, OLD.acknowledged_by, OLD.acknowledged_note)))
  EXECUTE FUNCTION refuse_undoing();
