import type { DataSource } from 'typeorm';
import { run, statement } from '../../../database/statement.js';
import { only } from '../../../kernel/lookups.js';
import { follow, FOLLOW_BATCH } from './follow.statement.js';
import { endpointsWith, mayLeave, type Place, PLACES, stateIn } from './waiting-delivery.sql.js';

/** Rows of one turn; more are found by the next. */
const RECOVER_BATCH = 500;

/** Endpoints of one turn, each with one batch; the others that were found wait for the next. */
const RECOVER_ENDPOINTS = 50;

/** Endpoints that one turn looks at in each place: how many wait is not ours to say, and the next goes on behind them. */
export const RECOVER_WALK = 500;

/**
 * A lease that ran out belonged to a process that died or stalled. The try that it had begun is made again under
 * the same number, because a crash of ours must not use up the receiver's schedule.
 */
const EXPIRED_LEASES = statement(
  'webhooks-recover-leases',
  `UPDATE delivery d
   SET state = 'pending', attempts = greatest(d.attempts - 1, 0), lease_token = NULL, lease_until = NULL
   FROM (
     SELECT id FROM delivery WHERE state = 'sending' AND lease_until < clock_timestamp()
     ORDER BY lease_until LIMIT ${RECOVER_BATCH} FOR UPDATE SKIP LOCKED
   ) stale
   WHERE d.id = stale.id
   RETURNING d.id`,
);

const walked = (place: Place) =>
  `(SELECT '${place}' AS place, endpoint_id FROM with_${place} WHERE endpoint_id IS NOT NULL LIMIT ${RECOVER_WALK})`;

const leftIn = (place: Place) =>
  `SELECT id FROM seen e WHERE place = '${place}' AND ${mayLeave(stateIn(place), 'e')}`;

const endOf = (place: Place) =>
  `(SELECT max(endpoint_id) FROM walked WHERE place = '${place}' HAVING count(*) = ${RECOVER_WALK}) AS "${place}"`;

/**
 * Endpoints whose deliveries have not followed a change of their state: more than the change itself could take along
 * waited, or an event was committed meanwhile with the state that the endpoint had before. Locking the endpoint in every
 * payment's transaction would prevent the second; moving the few here costs payments nothing. In no order, so that none
 * waits for the end of another's. Those that are enabled and send nothing before are found at once, the others by a walk
 * of some in each turn. $1, $2, $3: behind whom it goes on in each place.
 */
const UNSETTLED = statement(
  'webhooks-recover-unsettled',
  `WITH RECURSIVE ${PLACES.map((place, i) => `with_${place} AS (${endpointsWith(place, `$${i + 1}::text`)})`).join(', ')},
   walked AS MATERIALIZED (${PLACES.map(walked).join(' UNION ALL ')}),
   seen AS (
     SELECT walked.place, e.* FROM walked CROSS JOIN LATERAL (
       SELECT id, deleted_at, disabled_at, given_up_to FROM webhook_endpoint WHERE id = walked.endpoint_id OFFSET 0
     ) e
   )
   SELECT coalesce((SELECT array_agg(id) FROM (
            SELECT id FROM (
              (SELECT id FROM webhook_endpoint WHERE settling_since IS NOT NULL LIMIT ${RECOVER_WALK})
              UNION ${PLACES.map(leftIn).join(' UNION ')}
            ) unsettled ORDER BY random()) found), '{}') AS ids,
          ${PLACES.map(endOf).join(', ')}`,
);

/** `null` where a walk has come to the end. */
type Found = { readonly ids: string[] } & Readonly<Record<Place, string | null>>;

/** Puts right what crashed processes and races left behind, a part of it in each turn. */
export class Recovery {
  private ends: Readonly<Record<Place, string | null>> = { due: null, delayed: null, held: null };
  /** Found, and not all of whose deliveries have followed: the walk is behind them, and they are none of what is found at once. */
  private readonly unfinished = new Set<string>();

  /** @param onFailure told of an endpoint whose deliveries could not follow now: the others' do */
  constructor(
    private readonly dataSource: DataSource,
    private readonly onFailure: (endpointId: string, error: unknown) => void,
  ) {}

  /** @returns how much was put right; 0 when nothing that was looked at was left behind */
  async turn(): Promise<number> {
    let recovered = (await run(this.dataSource, EXPIRED_LEASES, [])).length;
    const { ids, ...ends } = await this.unsettled();
    this.ends = ends;
    for (const id of ids) this.unfinished.add(id);
    for (const id of [...this.unfinished].slice(0, RECOVER_ENDPOINTS)) {
      // Behind the others, if it is not done with.
      this.unfinished.delete(id);
      try {
        const done = await follow(this.dataSource, id);
        if (done >= FOLLOW_BATCH) this.unfinished.add(id);
        recovered += done;
      } catch (error) {
        this.unfinished.add(id);
        this.onFailure(id, error);
      }
    }
    return recovered;
  }

  private async unsettled(): Promise<Found> {
    const from = PLACES.map((place) => this.ends[place] ?? '');
    return only(await run<Found>(this.dataSource, UNSETTLED, from));
  }
}
