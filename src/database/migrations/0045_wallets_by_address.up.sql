-- Where a merchant's money goes on EVM networks of which it gave one address instead of an extended key. Never changed:
-- deposit addresses follow from its address and the factory.
CREATE TABLE destination (
  id          text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL REFERENCES merchant (id),
  address     text NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),   -- lower case, as the chains write it
  factory     text NOT NULL CHECK (factory ~ '^0x[0-9a-f]{40}$'),
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (merchant_id, address, factory)
);

-- A wallet is either the one or the other.
ALTER TABLE wallet
  ALTER COLUMN extended_key_id DROP NOT NULL,
  ADD COLUMN destination_id text COLLATE "C" REFERENCES destination (id),
  ADD COLUMN changes integer NOT NULL DEFAULT 1 CHECK (changes > 0), -- how often it was set to another key or address
  ADD CONSTRAINT wallet_is_one_kind CHECK (num_nonnulls(extended_key_id, destination_id) = 1);

-- So is where an address comes from: an index of a key, or a destination with a salt.
ALTER TABLE address
  ALTER COLUMN extended_key_id DROP NOT NULL,
  ALTER COLUMN derivation_index DROP NOT NULL,
  ADD COLUMN destination_id text COLLATE "C" REFERENCES destination (id),
  ADD COLUMN salt text CHECK (salt ~ '^0x[0-9a-f]{64}$'),
  ADD CONSTRAINT address_is_one_kind CHECK (
    CASE WHEN destination_id IS NULL
         THEN extended_key_id IS NOT NULL AND derivation_index IS NOT NULL AND salt IS NULL
         ELSE extended_key_id IS NULL AND derivation_index IS NULL AND salt IS NOT NULL AND family = 'evm' END);
CREATE INDEX address_of_destination ON address (destination_id, created_at) WHERE destination_id IS NOT NULL;
