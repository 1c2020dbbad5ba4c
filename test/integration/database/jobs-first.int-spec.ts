import type { PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { ask, PreparedQuery } from '../../../src/database/prepared-query.js';
import { poolOf } from '../../../src/database/statement.js';
import { isForRequest, outsideTrace, withTrace } from '../../../src/platform/observability/trace.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { HeldTimers } from '../../support/run/held-timers.js';

const CONNECTIONS = 2;
/** How long a service lets somebody wait for one. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Of nobody else's timers. */
const TOO_LONG_MS = 1_000_003;

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  dataSource = await new DataSource(dataSourceOptions(database.url, CONNECTIONS, isForRequest)).initialize();
});
afterEach(() => dataSource.destroy());
afterAll(() => database.drop());

const say = (who: string) =>
  ask(poolOf(dataSource), new PreparedQuery('say', 'SELECT $1::text AS said', [who]));

/** All connections are taken by requests that do not end before this is called. */
async function occupied(): Promise<() => void> {
  const taken: PoolClient[] = [];
  await withTrace('a request', async () => {
    while (taken.length < CONNECTIONS) taken.push(await poolOf(dataSource).connect());
  });
  return () => taken.splice(0, 1)[0]?.release();
}

/** Who has been answered, in this order. */
function asking() {
  const answered: string[] = [];
  const asked: Promise<unknown>[] = [];
  const ask = (who: string, work: () => Promise<unknown>) => {
    asked.push(work().then(() => answered.push(who)));
  };
  return {
    answered,
    all: () => Promise.all(asked),
    request: (who: string, work = () => say(who)) => ask(who, () => withTrace(who, work)),
    job: (who: string, work = () => say(who)) => ask(who, () => outsideTrace(work)),
  };
}

const REQUESTS = Array.from({ length: 50 }, (_, n) => `request ${n}`);

it('gives the next free connection to a job, whatever requests wait, and keeps the order of jobs and of requests', async () => {
  const release = await occupied();
  const { answered, all, request, job } = asking();
  for (const who of REQUESTS) request(who);
  for (const who of ['job 1', 'job 2', 'job 3']) job(who);
  request('a later request');
  job('job 4');
  // One connection serves them all, so the answers come in the order in which it was given.
  release();
  await all();
  expect(answered).toEqual(['job 1', 'job 2', 'job 3', 'job 4', ...REQUESTS, 'a later request']);
  release();
});

it('does so for every way to a connection: a statement, a query of TypeORM, a transaction', async () => {
  const release = await occupied();
  const { answered, all, request, job } = asking();
  for (const who of REQUESTS) request(who);
  job('statement');
  job('query', () => dataSource.query('SELECT 1'));
  job('transaction', () => dataSource.transaction((tx) => tx.query('SELECT 1')));
  release();
  await all();
  expect(answered.slice(0, 3).sort()).toEqual(['query', 'statement', 'transaction']);
  release();
});

it('leaves to requests the half that jobs do not have', async () => {
  const job = await outsideTrace(() => poolOf(dataSource).connect());
  const request = await withTrace('a request', () => poolOf(dataSource).connect());
  const waiting = asking();
  for (const who of REQUESTS) waiting.request(who);
  waiting.job('job 2');
  waiting.request('a later request');
  request.release();
  await waiting.all();
  expect(waiting.answered).toEqual([...REQUESTS, 'job 2', 'a later request']);
  job.release();
});

it('gives the half of jobs from one to the next', async () => {
  const job = await outsideTrace(() => poolOf(dataSource).connect());
  const request = await withTrace('a request', () => poolOf(dataSource).connect());
  const waiting = asking();
  for (const who of REQUESTS) waiting.request(who);
  waiting.job('job 2');
  waiting.job('job 3');
  job.release();
  await waiting.all();
  expect(waiting.answered).toEqual(['job 2', 'job 3', ...REQUESTS]);
  request.release();
});

it('lets a job that waits too long go, and nobody of those behind it', async () => {
  const options = dataSourceOptions(database.url, CONNECTIONS, isForRequest);
  await dataSource.destroy();
  // By hand: whoever is not to wait too long here may have to, on a busy machine.
  const waits = new HeldTimers((ms) => ms === TOO_LONG_MS);
  try {
    dataSource = await new DataSource({ ...options, connectTimeoutMS: TOO_LONG_MS }).initialize();
    const release = await occupied();
    const given = outsideTrace(() => say('job'));
    expect(waits.come()).toEqual([TOO_LONG_MS]);
    await expect(given).rejects.toThrow('timeout exceeded when trying to connect');
    const { answered, all, request } = asking();
    request('request');
    release();
    await all();
    expect(answered).toEqual(['request']);
    release();
  } finally {
    waits.restore();
  }
});

it('lets nobody go in tests who waits behind others, however busy the machine is', async () => {
  const release = await occupied();
  const waits = new HeldTimers((ms) => ms >= CONNECT_TIMEOUT_MS);
  const { answered, all, request, job } = asking();
  try {
    request('request');
    job('job');
    expect(waits.count).toBe(2);
    expect(waits.come((ms) => ms < 20 * CONNECT_TIMEOUT_MS)).toEqual([]);
  } finally {
    release();
    release();
    await all().finally(() => waits.restore());
  }
  expect(answered.sort()).toEqual(['job', 'request']);
});
