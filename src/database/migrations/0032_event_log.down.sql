DROP TRIGGER event_is_queued_for_log ON event;
DROP FUNCTION queue_for_event_log();
DROP TABLE event_log_pending;
DROP TABLE event_log;
