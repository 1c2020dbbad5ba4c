// graphile-worker doing the same: a job for each delivery, 64 at once, the library's own completion records.
import { Logger, run, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { Agent, request } from 'undici';
import { answerCalls } from './calls.mjs';
import { keysOf, sign } from './sign.mjs';

const CONCURRENCY = 64;
const silent = new Logger(() => () => undefined);
const agent = new Agent({ pipelining: 1 });
let runner = null;

answerCalls({
  /** A job for each delivery that is pending, made by one call: in one statement each of 60,000 calls takes longer than the one before. */
  async prepare({ databaseUrl }) {
    await runMigrations({ connectionString: databaseUrl, logger: silent });
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(`
      SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
        SELECT ('deliver', json_build_object('event', d.event_id, 'endpoint', d.endpoint_id, 'body', e.body),
                NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
        FROM delivery d JOIN event e ON e.id = d.event_id WHERE d.state = 'pending'))`);
    await client.query('VACUUM ANALYZE');
    await client.end();
  },
  async start({ databaseUrl, endpoints }) {
    const targets = keysOf(endpoints);
    /** @param {any} payload */
    const deliver = async ({ event, endpoint, body }) => {
      const { url, key } = targets.get(endpoint);
      const response = await request(url, {
        method: 'POST',
        headers: sign(key, event, body),
        body,
        dispatcher: agent,
      });
      await response.body.dump();
      if (response.statusCode >= 300) throw new Error(`answered with ${response.statusCode}`);
    };
    runner = await run({
      connectionString: databaseUrl,
      concurrency: CONCURRENCY,
      maxPoolSize: 16,
      pollInterval: 250,
      noHandleSignals: true,
      logger: silent,
      taskList: { deliver },
    });
  },
  stop: () => runner.stop(),
});
