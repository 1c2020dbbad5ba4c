DROP TRIGGER review_decision_refund ON review_decision;
DROP FUNCTION refuse_refund_beyond_money;
DROP FUNCTION refundable;
ALTER TABLE review_decision
  DROP COLUMN refund_network,
  DROP COLUMN refund_asset,
  DROP COLUMN refund_decimals,
  DROP COLUMN refund_atoms;
DROP TABLE unsettled_money;

-- The version before knows one kind of event alone.
DELETE FROM delivery_attempt a USING delivery d JOIN event e ON e.id = d.event_id
 WHERE a.delivery_id = d.id AND e.type = 'payment.money';
DELETE FROM delivery d USING event e WHERE e.id = d.event_id AND e.type = 'payment.money';
ALTER TABLE event DISABLE TRIGGER event_is_append_only;
DELETE FROM event WHERE type = 'payment.money';
ALTER TABLE event ENABLE TRIGGER event_is_append_only;
ALTER TABLE event ADD CONSTRAINT event_subject_sequence_key UNIQUE (subject, sequence);
ALTER TABLE event DROP CONSTRAINT event_subject_type_sequence_key;
ALTER TABLE webhook_endpoint DROP COLUMN events, DROP COLUMN events_changed_at;
