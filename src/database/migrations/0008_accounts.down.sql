DROP TABLE audit_entry, guess_delay, one_time_link, spent_challenge, passkey, recovery_code, session, membership, person;
