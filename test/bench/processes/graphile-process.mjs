// graphile-worker doing the same: a job for each delivery, 64 at once, the library's own completion records; claimed and
// recorded in batches.
import pg from 'pg';
import { answerCalls } from './calls.mjs';
import { claimUnflushed, countLeft, delivering, IN_FLIGHT, JOBS } from './job-library.mjs';

// Read when it is loaded: without it a line is made for each job, also for a logger that drops it.
process.env['NO_LOG_SUCCESS'] = '1';
const { Logger, run, runMigrations } = await import('graphile-worker');

const silent = new Logger(() => () => undefined);
let runner = null;

answerCalls({
  /** A job for each delivery that is pending, made by one call: in one statement each of 60,000 calls takes longer than the one before. */
  async prepare({ databaseUrl }) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    // Each repeat has tables that are as new.
    await client.query('DROP SCHEMA IF EXISTS graphile_worker CASCADE');
    await runMigrations({ connectionString: databaseUrl, logger: silent });
    await client.query(`
      SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
        SELECT ('deliver', to_json(job), NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
        FROM (${JOBS}) AS job))`);
    await claimUnflushed(client, 'graphile_worker._private_jobs', 'locked_at');
    await client.query('VACUUM ANALYZE');
    await client.end();
  },
  async start({ databaseUrl, endpoints }) {
    runner = await run({
      noHandleSignals: true,
      logger: silent,
      taskList: { deliver: delivering(endpoints) },
      preset: {
        worker: {
          connectionString: databaseUrl,
          concurrentJobs: IN_FLIGHT,
          maxPoolSize: 16,
          pollInterval: 250,
          localQueue: { size: 1_000 },
          completeJobBatchDelay: 20,
          failJobBatchDelay: 20,
        },
      },
    });
  },
  async stop({ databaseUrl }) {
    await runner.stop();
    return countLeft(databaseUrl, 'graphile_worker._private_jobs');
  },
});
