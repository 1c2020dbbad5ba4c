-- Addresses that anybody here has named: to be paid out to, or as one's own, also where that was taken back. Somebody else
-- knows them, so none is ever issued to a buyer. What was issued before this stays what it is, named or not.
LOCK TABLE address, destination, own_address IN SHARE ROW EXCLUSIVE MODE;
CREATE TABLE named_address (
  family  text NOT NULL,
  address text NOT NULL,                    -- as the chains write it
  PRIMARY KEY (family, address)
);
INSERT INTO named_address (family, address)
SELECT 'evm', address FROM destination UNION SELECT family, address FROM own_address;

-- Whoever names an address waits for those who are issuing in its family, and the other way round: chains-take takes the
-- same lock. So the one sees what the other has written.
CREATE FUNCTION name_address() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  named_family text := coalesce(to_jsonb(NEW)->>'family', 'evm');  -- a destination is of EVM networks
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('rewind:' || named_family, 0));
  IF EXISTS (SELECT FROM address WHERE family = named_family AND address = NEW.address) THEN
    RAISE EXCEPTION 'an address that was issued cannot be named in %', TG_TABLE_NAME
      USING ERRCODE = 'check_violation', CONSTRAINT = 'named_address_is_not_issued', TABLE = TG_TABLE_NAME;
  END IF;
  INSERT INTO named_address (family, address) VALUES (named_family, NEW.address) ON CONFLICT DO NOTHING;
  RETURN NEW;
END $$;
CREATE TRIGGER destination_names_address BEFORE INSERT OR UPDATE OF address ON destination
  FOR EACH ROW EXECUTE FUNCTION name_address();
CREATE TRIGGER own_address_names_address BEFORE INSERT OR UPDATE OF family, address ON own_address
  FOR EACH ROW EXECUTE FUNCTION name_address();

-- The service passes such an address over before it comes to this.
CREATE FUNCTION refuse_named_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('rewind:' || NEW.family, 0));
  IF EXISTS (SELECT FROM named_address WHERE family = NEW.family AND address = NEW.address) THEN
    RAISE EXCEPTION 'an address that was named cannot be issued'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'address_is_not_named', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER address_is_not_named BEFORE INSERT OR UPDATE OF family, address ON address
  FOR EACH ROW EXECUTE FUNCTION refuse_named_address();
