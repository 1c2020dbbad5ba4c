DROP INDEX audit_entry_sign_in;
ALTER TABLE merchant DROP COLUMN network_terms;
