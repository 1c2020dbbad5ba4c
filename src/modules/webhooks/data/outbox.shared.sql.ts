/**
 * The transactional outbox as SQL: a statement that writes a transition names its events in a CTE
 * `appended(id, merchant_id, type, subject, sequence, body)` and goes on with these. One delivery is written
 * for every endpoint of the merchant that asks for this type; a disabled endpoint's are held until it is enabled again.
 * What was written is `outbox_delivery(state)`.
 */
export const OUTBOX_CTES = `
  outbox_event AS (
    INSERT INTO event (id, merchant_id, type, subject, sequence, body)
    SELECT id, merchant_id, type, subject, sequence, body FROM appended
    RETURNING id, merchant_id, type
  ),
  outbox_delivery AS (
    INSERT INTO delivery (event_id, endpoint_id, state)
    SELECT e.id, w.id, CASE WHEN w.disabled_at IS NULL THEN 'pending' ELSE 'held' END
    FROM outbox_event e
    JOIN webhook_endpoint w ON w.merchant_id = e.merchant_id AND w.deleted_at IS NULL AND e.type = ANY (w.events)
    RETURNING state
  )`;
