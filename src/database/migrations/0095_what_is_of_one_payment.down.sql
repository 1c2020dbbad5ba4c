DROP TRIGGER wallet_is_of_its_merchant ON wallet;
DROP TRIGGER unsettled_money_is_its_transfer ON unsettled_money;
DROP TRIGGER unsettled_money_is_of_its_merchant ON unsettled_money;
DROP TRIGGER refund_is_of_its_merchant ON refund;
DROP TRIGGER review_entry_is_of_its_merchant ON review_entry;
DROP FUNCTION refuse_wallet_of_another();
DROP FUNCTION refuse_transfer_of_another();
DROP FUNCTION refuse_intent_of_another();

ALTER TABLE refund
  DROP CONSTRAINT refund_is_its_decision,
  ADD CONSTRAINT refund_decision_id_fkey
    FOREIGN KEY (decision_id) REFERENCES review_decision (id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE review_decision DROP CONSTRAINT review_decision_of_intent;

ALTER TABLE intent
  DROP CONSTRAINT intent_shows_its_quote,
  ADD CONSTRAINT intent_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES quote (id);
ALTER TABLE settlement
  DROP CONSTRAINT settlement_takes_its_quote,
  ADD CONSTRAINT settlement_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES quote (id);
ALTER TABLE quote DROP CONSTRAINT quote_of_intent;
