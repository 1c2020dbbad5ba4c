DELETE FROM chain_difference WHERE kind = 'collected';
ALTER TABLE chain_difference DROP CONSTRAINT chain_difference_kind_check;
ALTER TABLE chain_difference ADD CONSTRAINT chain_difference_kind_check
  CHECK (kind IN ('unrecorded', 'unexplained', 'missing', 'swept', 'unissued'));
