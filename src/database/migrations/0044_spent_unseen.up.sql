-- While nobody says what addresses hold, what came and was moved on leaves its balance as it was: that it sent is remembered.
ALTER TABLE chain_block ADD COLUMN spenders text[] NOT NULL DEFAULT '{}';
