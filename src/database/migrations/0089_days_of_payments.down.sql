DROP TRIGGER intent_is_counted_anew ON intent;
DROP TRIGGER intent_is_counted ON intent;
DROP FUNCTION count_on_days();
DROP FUNCTION days_of(intent);
DROP TABLE intent_day;
