DROP TABLE review_decision, review_entry;
ALTER TABLE merchant
  DROP COLUMN accept_seen_late, DROP COLUMN accept_short_bps, DROP COLUMN accept_short_minor,
  DROP COLUMN accept_late_minutes, DROP COLUMN accept_late_move_bps;
