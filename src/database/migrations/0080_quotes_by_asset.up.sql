-- Which assets addresses were ever given out for, and for how many of them, without reading all quotes: an asset or a
-- network that is taken out of the configuration is not looked for any more, and that is said while any address stands.
CREATE INDEX quote_asset ON quote (network, asset);
