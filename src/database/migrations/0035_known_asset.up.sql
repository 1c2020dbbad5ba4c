-- What an asset of a network has been called since it was first taken. All that is recorded, quoted and booked names
-- assets by their symbol, so a symbol stands for one contract, or the network's own coin, for ever.
CREATE TABLE known_asset (
  network   text NOT NULL,
  asset_key text NOT NULL,                      -- 'native', or the contract in lower case
  symbol    text NOT NULL,
  decimals  integer NOT NULL,
  PRIMARY KEY (network, asset_key),
  UNIQUE (network, symbol)
);

-- The coin is known by where it was recorded. Of which contract a token was, nothing recorded tells.
INSERT INTO known_asset (network, asset_key, symbol, decimals)
SELECT DISTINCT ON (t.network) t.network, 'native', t.asset, q.decimals
  FROM transfer t JOIN LATERAL (SELECT decimals FROM quote WHERE network = t.network AND asset = t.asset LIMIT 1) q ON true
 WHERE t.output NOT LIKE 'log:%' AND t.output NOT LIKE 'token:%'
 ORDER BY t.network, t.first_seen_at DESC;
