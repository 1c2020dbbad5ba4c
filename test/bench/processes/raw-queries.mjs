// The ceilings of what the API and the pages do: `pg` alone, with the same number of connections and nothing around it, and
// Express alone.
import { randomBytes } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import pg from 'pg';
import { answerCalls, percentile } from './calls.mjs';

/** The rows of a creation, in one statement. */
const CREATE = `
  WITH created AS (
    INSERT INTO intent (id, merchant_id, status, amount_minor, currency, title, idempotency_key, created_at, expires_at)
    VALUES ($1, $2, 'initiated', 4990, 'CHF', 'Order', $1, now(), now() + interval '15 minutes')
    RETURNING id, merchant_id
  ),
  happened AS (
    INSERT INTO event (id, merchant_id, type, subject, sequence, body)
    SELECT $3, merchant_id, 'payment.status', id, 1, $4 FROM created
  ),
  counted AS (
    INSERT INTO intent_count AS c (merchant_id, status, shard, intents)
    SELECT merchant_id, 'initiated', (pg_backend_pid() % 16)::smallint, 1 FROM created
    ON CONFLICT (merchant_id, status, shard) DO UPDATE SET intents = c.intents + 1
  )
  INSERT INTO transition (intent_id, sequence, from_status, to_status, cause, event_id, trace_id, created_at)
  SELECT id, 1, '', 'initiated', 'created', $3, $5, now() FROM created`;

let made = 0;
const newId = (prefix) => `${prefix}_${Date.now()}${randomBytes(8).toString('hex')}`;
const creation = (merchantId, body) => ({
  name: 'create',
  text: CREATE,
  values: [newId('pi'), merchantId, newId('evt'), body, randomBytes(16).toString('hex')],
});

/** `requests` queries over `connections`, each as soon as the one before has been answered. */
async function measure({ databaseUrl, connections, requests }, queryOf) {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: databaseUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  const times = [];
  const run = async (count) => {
    let left = count;
    const work = async (client) => {
      while (left > 0) {
        left -= 1;
        const startedMs = performance.now();
        await client.query(queryOf());
        times.push(performance.now() - startedMs);
      }
    };
    await Promise.all(clients.map(work));
  };
  await run(Math.ceil(requests / 10));
  times.length = 0;
  const startedMs = performance.now();
  await run(requests);
  const perSecond = (requests * 1_000) / (performance.now() - startedMs);
  await Promise.all(clients.map((client) => client.end()));
  times.sort((a, b) => a - b);
  return {
    perSecond,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    p99Ms: percentile(times, 0.99),
    p999Ms: percentile(times, 0.999),
  };
}

/** As `src/platform/http/server.ts` has them. */
function ownMessagesOf(app) {
  const own = (Message, prototype) => {
    const Own = class extends Message {};
    Object.setPrototypeOf(Own.prototype, prototype);
    return Own;
  };
  const [Request, Response] = [own(IncomingMessage, app.request), own(ServerResponse, app.response)];
  [app.request, app.response] = [Request.prototype, Response.prototype];
  return /** @type {any} */ ({ IncomingMessage: Request, ServerResponse: Response });
}

let server = null;
const listening = () =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));

answerCalls({
  create: (input) => measure(input, () => creation(input.merchantId, 'x'.repeat(input.bodyBytes))),
  /** One prepared statement, with one of the given lists of values after the other. */
  query: (input) =>
    measure(input, () => ({
      name: 'query',
      text: input.text,
      values: input.values[(made += 1) % input.values.length],
    })),
  /** A bare server that makes the queries and answers with these bytes: text, or Base64 of what has an `encoding`. @returns its port */
  async serve({ databaseUrl, connections, texts, values, body, encoding = null }) {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
    const content = encoding === null ? body : Buffer.from(body, 'base64');
    const headers = {
      'content-type': 'text/html',
      'content-length': Buffer.byteLength(content),
      ...(encoding !== null && { 'content-encoding': encoding }),
    };
    server = createServer((_request, response) => {
      const queries = texts.map((text, i) => ({ name: `q${i}`, text, values }));
      const answer = async () => {
        for (const query of queries) await pool.query(query);
        response.writeHead(200, headers).end(content);
      };
      void answer();
    });
    return listening();
  },
  /** The framework alone. @param isOwn its messages are its own from their birth (ADR 91) @returns its port */
  async express(isOwn) {
    const app = express().get('/', (_request, response) => response.json({ ok: true }));
    server = createServer(isOwn ? ownMessagesOf(app) : {}, app);
    return listening();
  },
});
