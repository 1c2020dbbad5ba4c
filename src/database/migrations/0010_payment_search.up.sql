-- A person pastes a transaction id or a traceId and asks which payment it belongs to.
CREATE INDEX transfer_txid ON transfer (txid);
CREATE INDEX transition_trace ON transition (trace_id) WHERE trace_id IS NOT NULL;
-- The home page's chart and the books: what was settled in a period, from the index alone.
CREATE INDEX intent_settled ON intent (merchant_id, settled_at) INCLUDE (currency, amount_minor)
  WHERE settled_at IS NOT NULL;
