-- What waits for another try, among all that waits: enabling an endpoint looks for it, and so do lists of what failed.
CREATE INDEX delivery_retried ON delivery (endpoint_id, created_at, id) WHERE state = 'pending' AND attempts > 0;
