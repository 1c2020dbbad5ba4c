UPDATE review_entry SET reason = 'after-settlement' WHERE reason = 'beside-settlement';
ALTER TABLE unsettled_money DISABLE TRIGGER unsettled_money_is_append_only;
UPDATE unsettled_money SET reason = 'after-settlement' WHERE reason = 'beside-settlement';
ALTER TABLE unsettled_money ENABLE TRIGGER unsettled_money_is_append_only;
ALTER TABLE review_entry DROP CONSTRAINT review_entry_reason_check;
ALTER TABLE review_entry ADD CONSTRAINT review_entry_reason_check
  CHECK (reason IN ('in-time-seen-late', 'late', 'underpaid', 'after-settlement', 'cancelled', 'failed',
                    'other-quote', 'other-asset', 'other-network', 'before-issue'));
ALTER TABLE unsettled_money DROP CONSTRAINT unsettled_money_reason_check;
ALTER TABLE unsettled_money ADD CONSTRAINT unsettled_money_reason_check
  CHECK (reason IN ('late', 'underpaid', 'in-time-seen-late', 'excess', 'after-settlement',
                    'other-quote', 'other-asset', 'other-network', 'cancelled', 'failed', 'before-issue'));
