-- What a deposit address without a key paid out, and the watcher did not see.
ALTER TABLE chain_difference DROP CONSTRAINT chain_difference_kind_check;
ALTER TABLE chain_difference ADD CONSTRAINT chain_difference_kind_check
  CHECK (kind IN ('unrecorded', 'unexplained', 'missing', 'swept', 'collected', 'unissued'));
