-- Fails while anything is of the new kind: an address that was issued is watched for ever.
ALTER TABLE address
  DROP CONSTRAINT address_is_one_kind,
  ALTER COLUMN extended_key_id SET NOT NULL,
  ALTER COLUMN derivation_index SET NOT NULL,
  DROP COLUMN destination_id,
  DROP COLUMN salt;
ALTER TABLE wallet
  DROP CONSTRAINT wallet_is_one_kind,
  ALTER COLUMN extended_key_id SET NOT NULL,
  DROP COLUMN destination_id,
  DROP COLUMN changes;
DROP TABLE destination;
