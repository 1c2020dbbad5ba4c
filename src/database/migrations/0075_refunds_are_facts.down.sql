DROP FUNCTION refunded_beyond(text);

CREATE OR REPLACE FUNCTION refuse_refund_beyond_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM intent WHERE id = NEW.intent_id FOR UPDATE;
  IF NEW.refund_atoms > coalesce((SELECT r.atoms FROM refundable(NEW.intent_id) r
                                   WHERE r.network = NEW.refund_network AND r.asset = NEW.refund_asset), 0) THEN
    RAISE EXCEPTION 'a refund of more than what is final and not returned' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
