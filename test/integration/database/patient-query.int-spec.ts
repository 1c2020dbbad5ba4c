import { Pool } from 'pg';
import { patientRows } from '../../chaos/patient-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { eventually } from '../../support/servers/receiver.js';
import { VanishingProxy } from '../../support/servers/vanishing-proxy.js';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url });
  pool.on('error', () => undefined);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it('asks again when its connection is cut while it waits', async () => {
  const holder = await pool.connect();
  await holder.query('SELECT pg_advisory_lock(1)');
  const asked = patientRows<{ pid: number }>(
    database.url,
    'SELECT pg_backend_pid() AS pid, pg_advisory_xact_lock($1)',
    [1],
  );
  const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const [{ pid }] = await eventually(
    async () => (await pool.query<{ pid: number }>(`SELECT pid ${waiting}`)).rows as [{ pid: number }],
    (rows) => rows.length === 1,
  );
  await pool.query('SELECT pg_terminate_backend($1)', [pid]);
  await holder.query('SELECT pg_advisory_unlock(1)');
  holder.release();
  const [row] = await asked;
  expect(row!.pid).not.toBe(pid);
});

it('gives up after a while, with what the connection said', async () => {
  const proxy = await VanishingProxy.start(database.url);
  expect(await patientRows(proxy.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  await proxy.stop();
  await expect(patientRows(proxy.url, 'SELECT 1 AS n', [], 200)).rejects.toThrow('ECONNREFUSED');
});

it('throws at once what no outage explains', async () => {
  await expect(patientRows(database.url, 'SELECT nonsense')).rejects.toThrow('"nonsense" does not exist');
});
