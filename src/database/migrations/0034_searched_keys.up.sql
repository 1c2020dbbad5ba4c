-- Networks whose node has yet to say which indexes of the key were used before: on these it issues no address. Keys that
-- are here already count as searched.
ALTER TABLE extended_key ADD COLUMN unsearched text[] NOT NULL DEFAULT '{}';
CREATE INDEX extended_key_unsearched ON extended_key (family) WHERE unsearched <> '{}';
-- Which of the tags "safe" and "finalized" which node has answered with a block: "host finalized".
ALTER TABLE chain_cursor ADD COLUMN known_tags text[] NOT NULL DEFAULT '{}';
