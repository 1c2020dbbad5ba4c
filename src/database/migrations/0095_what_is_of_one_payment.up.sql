-- What stands beside its payment or its merchant is of it. Each of two columns named a row that exists, and nothing said that the
-- two belong together: a payment could show the address and the amount of another merchant's quote.
ALTER TABLE intent DROP CONSTRAINT intent_quote_id_fkey;
ALTER TABLE settlement DROP CONSTRAINT settlement_quote_id_fkey;
ALTER TABLE quote ADD CONSTRAINT quote_of_intent UNIQUE (id, intent_id);
-- Of two indexes that cost the same the newer one is used: quotes are looked up in the smaller one as before.
ALTER TABLE quote DROP CONSTRAINT quote_pkey, ADD CONSTRAINT quote_pkey PRIMARY KEY (id);
ALTER TABLE intent ADD CONSTRAINT intent_shows_its_quote
  FOREIGN KEY (quote_id, id) REFERENCES quote (id, intent_id);
ALTER TABLE settlement ADD CONSTRAINT settlement_takes_its_quote
  FOREIGN KEY (quote_id, intent_id) REFERENCES quote (id, intent_id);

ALTER TABLE refund DROP CONSTRAINT refund_decision_id_fkey;
ALTER TABLE review_decision ADD CONSTRAINT review_decision_of_intent UNIQUE (id, intent_id);
ALTER TABLE refund ADD CONSTRAINT refund_is_its_decision
  FOREIGN KEY (decision_id, intent_id) REFERENCES review_decision (id, intent_id) DEFERRABLE INITIALLY DEFERRED;

-- Whose a payment, a key or a destination is, and what a transfer says, never changes, and few rows are asked for it: a trigger
-- looks, where a foreign key would take one more index of all of them. After the statement, as foreign keys do.
CREATE FUNCTION refuse_intent_of_another() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM intent WHERE id = NEW.intent_id AND merchant_id = NEW.merchant_id) THEN
    RAISE EXCEPTION '% names a payment of another merchant', TG_TABLE_NAME
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION refuse_transfer_of_another() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM transfer WHERE id = NEW.transfer_id AND subject = NEW.intent_id AND network = NEW.network
                                        AND asset = NEW.asset AND txid = NEW.txid) THEN
    RAISE EXCEPTION '% names a transfer of another payment', TG_TABLE_NAME
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION refuse_wallet_of_another() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM extended_key WHERE id = NEW.extended_key_id AND merchant_id = NEW.merchant_id
                 UNION ALL SELECT FROM destination WHERE id = NEW.destination_id AND merchant_id = NEW.merchant_id) THEN
    RAISE EXCEPTION '% names a key or an address of another merchant', TG_TABLE_NAME
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
-- Or somebody's temporary table of the same name would come first.
DO $$
DECLARE
  f text;
BEGIN
  FOREACH f IN ARRAY ARRAY['refuse_intent_of_another()', 'refuse_transfer_of_another()', 'refuse_wallet_of_another()'] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', f, current_schema());
  END LOOP;
END $$;
CREATE TRIGGER review_entry_is_of_its_merchant AFTER INSERT OR UPDATE OF intent_id, merchant_id ON review_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_intent_of_another();
CREATE TRIGGER refund_is_of_its_merchant AFTER INSERT OR UPDATE OF intent_id, merchant_id ON refund
  FOR EACH ROW EXECUTE FUNCTION refuse_intent_of_another();
CREATE TRIGGER unsettled_money_is_of_its_merchant AFTER INSERT ON unsettled_money
  FOR EACH ROW EXECUTE FUNCTION refuse_intent_of_another();
CREATE TRIGGER unsettled_money_is_its_transfer AFTER INSERT ON unsettled_money
  FOR EACH ROW EXECUTE FUNCTION refuse_transfer_of_another();
CREATE TRIGGER wallet_is_of_its_merchant AFTER INSERT OR UPDATE OF merchant_id, extended_key_id, destination_id ON wallet
  FOR EACH ROW EXECUTE FUNCTION refuse_wallet_of_another();
