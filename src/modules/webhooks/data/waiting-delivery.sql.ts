type Waiting = 'pending' | 'held';

/**
 * Where what waits is looked for, each by indexes of its own: what may be due; retries whose time has not come
 * (`promote.statement.ts`), of which any number may wait beside; and what is held.
 */
export const PLACES = ['due', 'delayed', 'held'] as const;
export type Place = (typeof PLACES)[number];

/** That a delivery `d` is there. */
export const IS_IN: Readonly<Record<Place, string>> = {
  due: `d.state = 'pending' AND NOT d.delayed`,
  delayed: `d.state = 'pending' AND d.delayed`,
  held: `d.state = 'held'`,
};

/** What those in a place are to their endpoint. */
export const stateIn = (place: Place): Waiting => (place === 'held' ? 'held' : 'pending');

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
  PLACES.map(
    (place) => `SELECT FROM delivery d WHERE d.endpoint_id = ${endpoint}.id AND ${IS_IN[place]}
        AND (${endpoint}.given_up_to IS NULL OR d.id > ${endpoint}.given_up_to)`,
  ).join(' UNION ALL ');

/**
 * Every endpoint that has rows in a place, in their order, by one probe of its index each: `with_…`, recursive. The last is NULL.
 * @param after SQL of the endpoint behind which it begins
 */
export const endpointsWith = (place: Place, after = `''`) => `
    (SELECT d.endpoint_id FROM delivery d WHERE ${IS_IN[place]} AND d.endpoint_id > ${after} ORDER BY d.endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM delivery d
            WHERE ${IS_IN[place]} AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
    FROM with_${place} w WHERE w.endpoint_id IS NOT NULL`;
