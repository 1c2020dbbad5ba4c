ALTER TABLE address DROP COLUMN confirmation_depth;
