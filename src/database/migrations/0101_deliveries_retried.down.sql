DROP INDEX delivery_retried;
