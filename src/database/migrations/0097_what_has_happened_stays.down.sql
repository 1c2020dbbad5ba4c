DROP TRIGGER webhook_endpoint_stays_deleted ON webhook_endpoint;
DROP TRIGGER api_key_stays_revoked ON api_key;
DROP TRIGGER refund_stays_final ON refund;
DROP TRIGGER intent_goes_on ON intent;
DROP FUNCTION refuse_undoing();
