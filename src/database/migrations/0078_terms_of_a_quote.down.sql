DO $$
DECLARE amount record;
BEGIN
  FOR amount IN SELECT conrelid::regclass AS of, conname AS name FROM pg_constraint WHERE conname LIKE '%\_is\_a\_number' LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', amount.of, amount.name);
  END LOOP;
END $$;
ALTER TABLE address DROP CONSTRAINT address_confirmation_depth;
ALTER TABLE unsettled_money DROP CONSTRAINT unsettled_money_depth;
ALTER TABLE quote
  DROP CONSTRAINT quote_settlement_depths,
  DROP CONSTRAINT quote_depths,
  DROP CONSTRAINT quote_tolerance,
  DROP CONSTRAINT quote_spread,
  DROP CONSTRAINT quote_decimals;
DROP FUNCTION is_depth(text);
