-- Final and safe are blocks that were read (ADR 31). Earlier versions could store heights above the cursor: they said of
-- blocks to come that they are final. And 0.1.0 counted each for itself where the node did not tell it, so that what the node
-- called final could be above a safe block that was counted: what is final is safe.
UPDATE chain_cursor
   SET safe_height = least(greatest(safe_height, finalized_height), height), finalized_height = least(finalized_height, height);
ALTER TABLE chain_cursor ADD CONSTRAINT chain_cursor_final_is_read
  CHECK (finalized_height <= safe_height AND safe_height <= height);
