-- Since when a network is watched: where no comparison with its chain has ever ended, that is how long none has. A process
-- knows only when it began itself. Of networks that are here already: since now.
ALTER TABLE chain_cursor ADD COLUMN watched_since timestamptz NOT NULL DEFAULT clock_timestamp();
