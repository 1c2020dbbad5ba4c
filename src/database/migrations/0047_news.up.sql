-- News has a budget for each kind: what comes often is collected into one mail.
ALTER TABLE outgoing_mail
  ADD COLUMN about      text,                         -- the kind of news; null for a link
  ADD COLUMN stands_for integer NOT NULL DEFAULT 1 CHECK (stands_for > 0); -- as many of its kind, of which it tells the latest
-- Which account was told what is remembered beside its waits.
ALTER TABLE person DROP COLUMN guesses_told_at;
