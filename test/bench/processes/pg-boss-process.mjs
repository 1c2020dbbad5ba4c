// pg-boss doing the same: a job for each delivery, 64 at once, four workers that claim and record batches of 128.
import pg from 'pg';
import PgBoss from 'pg-boss';
import { answerCalls } from './calls.mjs';
import { claimUnflushed, countLeft, delivering, IN_FLIGHT, JOBS } from './job-library.mjs';

const WORKERS = 4;
const BATCH = 128;
const QUEUE = 'deliver';
let boss = null;

/** A worker goes on when the slowest of its batch is through: with more jobs than may be under way the others fill that time. */
function limited(limit, run) {
  const waiting = [];
  let room = limit;
  return async (job) => {
    if (room > 0) room -= 1;
    else await new Promise((resolve) => waiting.push(resolve));
    try {
      await run(job);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else room += 1;
    }
  };
}

answerCalls({
  async prepare({ databaseUrl }) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    // It keeps what is done: each repeat has tables that are as new.
    await client.query('DROP SCHEMA IF EXISTS pgboss CASCADE');
    boss = new PgBoss({ connectionString: databaseUrl, max: 16 });
    boss.on('error', () => undefined);
    await boss.start();
    await boss.createQueue(QUEUE);
    const { rows } = await client.query(JOBS);
    for (let from = 0; from < rows.length; from += 1_000) {
      await boss.insert(rows.slice(from, from + 1_000).map((data) => ({ name: QUEUE, data })));
    }
    // By which it finds what is oldest: its own is by when a job may start, and it would sort the whole backlog for each claim.
    await client.query(`CREATE INDEX oldest ON pgboss.job (name, created_on, id) WHERE state < 'active'`);
    await claimUnflushed(client, 'pgboss.job', 'started_on');
    await client.query('VACUUM ANALYZE');
    await client.end();
  },
  async start({ endpoints }) {
    const deliver = delivering(endpoints);
    const deliverOne = limited(IN_FLIGHT, ({ data }) => deliver(data));
    for (let i = 0; i < WORKERS; i++) {
      const worker = await boss.work(
        QUEUE,
        { batchSize: BATCH, priority: false, pollingIntervalSeconds: 0.5 },
        async (jobs) => {
          // Without it the library pauses for the rest of its polling interval after every batch.
          boss.notifyWorker(worker);
          await Promise.all(jobs.map(deliverOne));
        },
      );
    }
  },
  async stop({ databaseUrl }) {
    await boss.stop({ graceful: true, wait: true });
    return countLeft(databaseUrl, `pgboss.job WHERE name = '${QUEUE}' AND state <> 'completed'`);
  },
});
