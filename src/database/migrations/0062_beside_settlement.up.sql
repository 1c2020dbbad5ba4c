-- Money that was there before a settlement, and no part of it, did not come after it.
ALTER TABLE review_entry DROP CONSTRAINT review_entry_reason_check;
ALTER TABLE review_entry ADD CONSTRAINT review_entry_reason_check
  CHECK (reason IN ('in-time-seen-late', 'late', 'underpaid', 'beside-settlement', 'after-settlement', 'cancelled', 'failed',
                    'other-quote', 'other-asset', 'other-network', 'before-issue'));
ALTER TABLE unsettled_money DROP CONSTRAINT unsettled_money_reason_check;
ALTER TABLE unsettled_money ADD CONSTRAINT unsettled_money_reason_check
  CHECK (reason IN ('late', 'underpaid', 'in-time-seen-late', 'excess', 'beside-settlement', 'after-settlement',
                    'other-quote', 'other-asset', 'other-network', 'cancelled', 'failed', 'before-issue'));
