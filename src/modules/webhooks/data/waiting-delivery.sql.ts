type Waiting = 'pending' | 'held';

/**
 * Where a delivery that waits belongs, by what its endpoint is now. A change of an endpoint writes the endpoint alone, and its
 * deliveries follow (`follow.statement.ts`): until then their own state may still be the one of before.
 */
export const belongs = (delivery: string, endpoint: string) =>
  `CASE WHEN ${endpoint}.deleted_at IS NOT NULL OR ${delivery}.id <= ${endpoint}.given_up_to THEN 'failed'
        WHEN ${endpoint}.disabled_at IS NOT NULL THEN 'held' ELSE 'pending' END`;

/** Whether an endpoint may have deliveries in this state that belong elsewhere, without a look at any of them. */
export const mayLeave = (state: Waiting, endpoint: string) =>
  `(${endpoint}.deleted_at IS NOT NULL OR ${endpoint}.given_up_to IS NOT NULL
    OR ${endpoint}.disabled_at IS ${state === 'pending' ? 'NOT NULL' : 'NULL'})`;

/** What waits for an endpoint and has not been given up. */
export const waitsFor = (endpoint: string) =>
  (['pending', 'held'] as const)
    .map(
      (state) => `SELECT FROM delivery d WHERE d.endpoint_id = ${endpoint}.id AND d.state = '${state}'
        AND (${endpoint}.given_up_to IS NULL OR d.id > ${endpoint}.given_up_to)`,
    )
    .join(' UNION ALL ');

/** Every endpoint that has rows in a state, by one probe of that state's partial index each: `with_…`, recursive. */
export function endpointsWith(state: Waiting): string {
  return `
    (SELECT endpoint_id FROM delivery WHERE state = '${state}' ORDER BY endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM delivery d
            WHERE d.state = '${state}' AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
    FROM with_${state} w WHERE w.endpoint_id IS NOT NULL`;
}
