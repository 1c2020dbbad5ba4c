DROP INDEX review_decision_refund;
DROP TABLE refund_request;
