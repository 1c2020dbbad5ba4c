-- By network, the block at which the watcher left an address' balance to the comparison with the chain, for good: two
-- that write of the same balance would credit it twice.
ALTER TABLE address ADD COLUMN coin_left jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(coin_left) = 'object');
