DROP INDEX audit_entry_of_account;
