-- The code's type names the kinds, and every one of them has its words there: a list beside it only drifts.
ALTER TABLE alert DROP CONSTRAINT IF EXISTS alert_kind_check;
ALTER TABLE alert ADD CONSTRAINT alert_kind_check CHECK (kind ~ '^[a-z]+(-[a-z]+)*$');
