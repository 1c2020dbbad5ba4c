-- What decides about money has a value that can decide: a depth that is none would never be reached, a tolerance beyond the
-- whole price could not be calculated. The service writes neither; a hand might.
CREATE FUNCTION is_depth(depth text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT depth ~ '^([1-9][0-9]{0,14}|safe|finalized)$'
$$;
ALTER TABLE quote
  ADD CONSTRAINT quote_decimals CHECK (decimals BETWEEN 0 AND 36),
  ADD CONSTRAINT quote_spread CHECK (spread_bps BETWEEN 0 AND 1000),
  ADD CONSTRAINT quote_tolerance CHECK (tolerance_bps BETWEEN 0 AND 1000),
  ADD CONSTRAINT quote_depths CHECK (is_depth(confirmation_depth) AND is_depth(settlement_depth)),
  ADD CONSTRAINT quote_settlement_depths CHECK (
    array_position(settlement_depths, NULL) IS NULL
    AND is_depth(settlement_depths[1]) AND is_depth(settlement_depths[2])
    AND is_depth(settlement_depths[3]) AND is_depth(settlement_depths[4]));
ALTER TABLE unsettled_money ADD CONSTRAINT unsettled_money_depth CHECK (is_depth(depth));
ALTER TABLE address ADD CONSTRAINT address_confirmation_depth CHECK (is_depth(confirmation_depth));
