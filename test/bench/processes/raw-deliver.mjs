// The ceiling of the deliveries: claim, sign, post, record, with `pg` and a client and nothing around them. The same
// rows, batches and number in flight as ours; no fairness, no vetting of addresses, no deadlines, no fencing.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Agent, request } from 'undici';
import { answerCalls } from './calls.mjs';
import { keysOf, sign } from './sign.mjs';

const IN_FLIGHT = 64;
const RECORD_BATCH = 256;

const CLAIM = `
  WITH chosen AS (
    SELECT id FROM delivery WHERE state = 'pending' AND next_attempt_at <= now()
    ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ),
  unflushed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
  claimed AS (
    UPDATE delivery d SET state = 'sending', attempts = attempts + 1, lease_token = gen_random_uuid(),
      lease_until = now() + interval '30 seconds'
    FROM chosen, unflushed WHERE d.id = chosen.id RETURNING d.id, d.event_id, d.endpoint_id
  )
  SELECT c.id, c.event_id, c.endpoint_id, e.body FROM claimed c JOIN event e ON e.id = c.event_id`;

const RECORD = `
  WITH finished AS (
    UPDATE delivery SET state = 'delivered', delivered_at = now(), lease_token = NULL, lease_until = NULL
    WHERE id = ANY ($1::bigint[]) RETURNING id, attempts
  )
  INSERT INTO delivery_attempt (delivery_id, number, started_at, duration_ms, http_status)
  SELECT f.id, f.attempts, r.started_at, r.duration_ms, r.http_status
  FROM unnest($1::bigint[], $2::timestamptz[], $3::integer[], $4::integer[])
    AS r (id, started_at, duration_ms, http_status) JOIN finished f ON f.id = r.id`;

const agent = new Agent({ pipelining: 1 });

const post = {
  async fetch(url, headers, body) {
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  },
  async undici(url, headers, body) {
    const response = await request(url, { method: 'POST', headers, body, dispatcher: agent });
    await response.body.dump();
    return response.statusCode;
  },
};

/** Sends until nothing is due. */
async function drain({ databaseUrl, endpoints, client }) {
  const targets = keysOf(endpoints);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  let [inFlight, empty, recording] = [0, false, Promise.resolve()];
  /** @type {unknown[][]} */
  const results = [];
  /** @type {(value?: unknown) => void} */
  let wake = () => undefined;

  const record = async () => {
    while (results.length > 0) {
      const batch = results.splice(0, RECORD_BATCH);
      const columns = [0, 1, 2, 3].map((column) => batch.map((result) => result[column]));
      await pool.query({ name: 'record', text: RECORD, values: columns });
    }
  };
  const send = async ({ id, event_id, endpoint_id, body }) => {
    const { url, key } = targets.get(endpoint_id);
    const startedMs = Date.now();
    const status = await post[client](url, sign(key, event_id, body), body);
    results.push([id, new Date(startedMs).toISOString(), Date.now() - startedMs, status]);
    inFlight -= 1;
    if (results.length >= IN_FLIGHT) recording = recording.then(record);
    wake();
  };
  while (!empty || inFlight > 0) {
    const room = IN_FLIGHT - inFlight;
    // Half of the room at least, or every answer would cost a claim of its own.
    if (empty || room < IN_FLIGHT / 2) {
      await new Promise((resolve) => (wake = resolve));
      continue;
    }
    const { rows } = await pool.query({ name: 'claim', text: CLAIM, values: [room] });
    empty = rows.length === 0;
    inFlight += rows.length;
    for (const row of rows) void send(row);
  }
  await recording;
  await record();
  await pool.end();
}

/** Commits a row and posts at once, one after the other; when each was committed, by the event's id. */
async function latency({ databaseUrl, merchantId, endpoints, count, body }) {
  const [{ url, key }] = keysOf(endpoints).values();
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  for (let n = 0; n < count; n++) {
    const id = `evt_${Date.now()}${randomBytes(8).toString('hex')}`;
    await pool.query({
      name: 'event',
      text: `INSERT INTO event (id, merchant_id, type, subject, sequence, body) VALUES ($1, $2, 'bench', $1, 1, $3)`,
      values: [id, merchantId, body],
    });
    await post.undici(url, sign(key, id, body), body);
  }
  await pool.end();
}

answerCalls({ drain, latency });
