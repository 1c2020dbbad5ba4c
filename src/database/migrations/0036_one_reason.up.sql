-- Queue, event and books say of the same money the same.
ALTER TABLE review_entry DROP CONSTRAINT review_entry_reason_check;
UPDATE review_entry
   SET reason = CASE reason WHEN 'after-cancellation' THEN 'cancelled' ELSE 'failed' END
 WHERE reason IN ('after-cancellation', 'after-failure');
ALTER TABLE review_entry ADD CONSTRAINT review_entry_reason_check
  CHECK (reason IN ('in-time-seen-late', 'late', 'underpaid', 'after-settlement', 'cancelled', 'failed',
                    'other-quote', 'other-asset', 'other-network', 'before-issue'));
