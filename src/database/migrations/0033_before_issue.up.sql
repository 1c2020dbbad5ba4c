-- By network, the block that its watcher had passed when the address was issued: nobody was told of the address before.
ALTER TABLE address ADD COLUMN passed jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(passed) = 'object');
-- In such a block: money of the wallet's owner from before, and no payment to the intent.
ALTER TABLE transfer ADD COLUMN before_issue boolean NOT NULL DEFAULT false;

ALTER TABLE review_entry DROP CONSTRAINT review_entry_reason_check;
ALTER TABLE review_entry ADD CONSTRAINT review_entry_reason_check
  CHECK (reason IN ('in-time-seen-late', 'underpaid', 'late', 'other-asset', 'after-cancellation', 'after-failure',
                    'after-settlement', 'other-quote', 'before-issue'));
ALTER TABLE unsettled_money DROP CONSTRAINT unsettled_money_reason_check;
ALTER TABLE unsettled_money ADD CONSTRAINT unsettled_money_reason_check
  CHECK (reason IN ('late', 'underpaid', 'in-time-seen-late', 'excess', 'after-settlement', 'other-quote',
                    'other-asset', 'other-network', 'cancelled', 'failed', 'before-issue'));
