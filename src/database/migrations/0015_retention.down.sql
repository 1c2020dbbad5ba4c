CREATE INDEX delivery_attempt_age ON delivery_attempt USING brin (started_at) WITH (autosummarize = on);
DROP INDEX audit_entry_address;
DROP TRIGGER audit_entry_is_append_only ON audit_entry;
CREATE TRIGGER audit_entry_is_append_only BEFORE UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
DROP FUNCTION refuse_change_but_forgetting();
DROP TABLE job_run;
