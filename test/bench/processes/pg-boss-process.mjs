// pg-boss doing the same: a job for each delivery, four workers with batches of 16, asked to fetch again at once.
import pg from 'pg';
import PgBoss from 'pg-boss';
import { Agent, request } from 'undici';
import { answerCalls } from './calls.mjs';
import { keysOf, sign } from './sign.mjs';

const WORKERS = 4;
const BATCH = 16;
const QUEUE = 'deliver';
const agent = new Agent({ pipelining: 1 });
let boss = null;

answerCalls({
  async prepare({ databaseUrl }) {
    boss = new PgBoss({ connectionString: databaseUrl, max: 16 });
    boss.on('error', () => undefined);
    await boss.start();
    await boss.createQueue(QUEUE);
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query(`
      SELECT d.event_id AS event, d.endpoint_id AS endpoint, e.body
      FROM delivery d JOIN event e ON e.id = d.event_id WHERE d.state = 'pending'`);
    for (let from = 0; from < rows.length; from += 1_000) {
      await boss.insert(rows.slice(from, from + 1_000).map((data) => ({ name: QUEUE, data })));
    }
    await client.query('VACUUM ANALYZE');
    await client.end();
  },
  async start({ endpoints }) {
    const targets = keysOf(endpoints);
    const deliver = async ({ data: { event, endpoint, body } }) => {
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
    for (let i = 0; i < WORKERS; i++) {
      const worker = await boss.work(
        QUEUE,
        { batchSize: BATCH, pollingIntervalSeconds: 0.5 },
        async (jobs) => {
          // Without it the library pauses for the rest of its polling interval after every batch.
          boss.notifyWorker(worker);
          await Promise.all(jobs.map(deliver));
        },
      );
    }
  },
  stop: () => boss.stop({ graceful: false }),
});
