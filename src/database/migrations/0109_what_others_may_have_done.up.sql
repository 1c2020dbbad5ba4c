-- What people are shown of their own account: of a log of years, some few.
CREATE INDEX audit_entry_of_account ON audit_entry (person_id, id DESC)
  WHERE action IN ('account.guessed-at', 'second-factor.missed', 'signed-in.new-device');
