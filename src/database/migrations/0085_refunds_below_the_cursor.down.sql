DROP INDEX refund_searched;
CREATE INDEX refund_open ON refund (network, searched_height) WHERE state IN ('asked', 'sent', 'seen');
DROP TRIGGER refund_starts_at_cursor ON refund;
DROP FUNCTION refund_starts_at_cursor();
DROP TRIGGER refund_follows_cursor ON chain_cursor;
DROP FUNCTION refund_follows_cursor();
