-- Bitcoin-like transfers only. Two transactions that spend one output cannot both be mined: that is how a
-- replacement and a double spend are told from a transfer that has merely gone missing.
ALTER TABLE transfer
  ADD COLUMN spends         text[],  -- 'txid:output' of every input of its transaction
  ADD COLUMN conflict_block text;    -- hash of the latest block in which another transaction spent one of them
