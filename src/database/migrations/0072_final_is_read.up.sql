-- Final and safe are blocks that were read (ADR 31). Earlier versions could store heights above the cursor: they said of
-- blocks to come that they are final.
UPDATE chain_cursor SET safe_height = least(safe_height, height), finalized_height = least(finalized_height, height);
ALTER TABLE chain_cursor ADD CONSTRAINT chain_cursor_final_is_read
  CHECK (finalized_height <= safe_height AND safe_height <= height);
