DROP TRIGGER transfer_keeps_time_of_block ON transfer;
