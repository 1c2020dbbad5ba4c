ALTER TABLE review_entry DROP CONSTRAINT review_entry_reason_check;
UPDATE review_entry
   SET reason = CASE reason WHEN 'cancelled' THEN 'after-cancellation' WHEN 'failed' THEN 'after-failure'
                            ELSE 'other-asset' END
 WHERE reason IN ('cancelled', 'failed', 'other-network');
ALTER TABLE review_entry ADD CONSTRAINT review_entry_reason_check
  CHECK (reason IN ('in-time-seen-late', 'underpaid', 'late', 'other-asset', 'after-cancellation', 'after-failure',
                    'after-settlement', 'other-quote', 'before-issue'));
