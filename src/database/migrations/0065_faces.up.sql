-- How a merchant looks to its buyers. What every page of a buyer reads is beside the merchant; the picture is read alone,
-- by the hash of its bytes, which is its address.
ALTER TABLE merchant ADD COLUMN color text CHECK (color ~ '^#[0-9a-f]{6}$');
ALTER TABLE merchant ADD COLUMN logo jsonb;
CREATE TABLE merchant_logo (
  merchant_id text PRIMARY KEY REFERENCES merchant (id),
  hash text NOT NULL,
  png bytea NOT NULL CHECK (octet_length(png) <= 4096)
);
CREATE INDEX merchant_logo_by_hash ON merchant_logo (hash);
