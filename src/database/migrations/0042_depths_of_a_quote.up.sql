-- All four settlement depths as they were for the merchant when the buyer picked: money beyond the price waits by its
-- own worth, long after the price has been settled. NULL for quotes from before.
ALTER TABLE quote ADD COLUMN settlement_depths text[] CHECK (cardinality(settlement_depths) = 4);
