-- The block that a part of the comparison compares: where it is given up, the part says nothing.
ALTER TABLE reconciliation ADD COLUMN comparing_height bigint;
