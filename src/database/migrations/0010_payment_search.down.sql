DROP INDEX intent_settled;
DROP INDEX transition_trace;
DROP INDEX transfer_txid;
