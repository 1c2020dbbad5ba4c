DROP TABLE merchant_logo;
ALTER TABLE merchant DROP COLUMN logo;
ALTER TABLE merchant DROP COLUMN color;
