-- How a merchant departs from the networks' defaults: assets not accepted, smallest payments, depths.
ALTER TABLE merchant ADD COLUMN network_terms jsonb NOT NULL DEFAULT '{}';

-- When somebody last signed in: sessions are forgotten, the log is not.
CREATE INDEX audit_entry_sign_in ON audit_entry (person_id, id DESC) WHERE action = 'signed-in';
