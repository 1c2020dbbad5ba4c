ALTER TABLE address DROP COLUMN coin_left;
