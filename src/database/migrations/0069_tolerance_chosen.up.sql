-- A tolerance of nothing can be a choice: whoever made one, of whatever, is not asked again.
ALTER TABLE merchant ADD COLUMN tolerance_chosen boolean NOT NULL DEFAULT false;
UPDATE merchant SET tolerance_chosen = true WHERE tolerance_bps > 0;
