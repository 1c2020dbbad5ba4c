import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestAnvil, type TestAnvil } from '../support/anvil.js';
import { eventually } from '../support/receiver.js';
import { ServiceProcess } from '../support/service-process.js';

// Real processes: what a stopped one does when it wakes cannot be seen inside of one. Needs a build.

let database: TestDatabase;
let anvil: TestAnvil;
let client: Client;
const services: ServiceProcess[] = [];

beforeAll(async () => {
  [database, anvil] = await Promise.all([createTestDatabase(), startTestAnvil()]);
  client = new Client(database.url);
  await client.connect();
  await client.query(`
    CREATE TABLE written (at timestamptz DEFAULT clock_timestamp(), writer text DEFAULT current_setting('application_name'));
    CREATE FUNCTION note_writer() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO written DEFAULT VALUES; RETURN NULL; END $$;
    CREATE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON chain_cursor FOR EACH ROW EXECUTE FUNCTION note_writer();
    CREATE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON transfer FOR EACH ROW EXECUTE FUNCTION note_writer();`);
});
afterAll(async () => {
  for (const service of services) await service.stop('SIGKILL');
  await client?.end();
  await Promise.all([anvil?.stop(), database?.drop()]);
});

/** Blocks the loop for 8 s: nothing is renewed, no timer runs, no answer is read. */
const BLOCK_ON_SIGNAL = `process.on('SIGUSR2',()=>{const end=Date.now()+8000;while(Date.now()<end);})`;
const IMPORT = `data:text/javascript,${encodeURIComponent(BLOCK_ON_SIGNAL)}`;

async function start(name: string): Promise<ServiceProcess> {
  const chain = { rpcUrl: anvil.rpcUrl, tokens: anvil.tokens };
  const service = await ServiceProcess.create({
    databaseUrl: database.url,
    chain,
    env: { PGAPPNAME: name },
    nodeOptions: ['--import', IMPORT],
  });
  services.push(service);
  await service.start();
  return service;
}

async function one<Row>(sql: string, values: readonly unknown[] = []): Promise<Row> {
  return (await client.query(sql, [...values])).rows[0] as Row;
}
const term = async () => BigInt((await one<{ term: string }>('SELECT term FROM watch_lease')).term);
const writesSince = async (writer: string, at: Date) =>
  (
    await one<{ n: number }>('SELECT count(*)::int AS n FROM written WHERE writer = $1 AND at > $2', [
      writer,
      at,
    ])
  ).n;

it('a leader that is stopped is followed within 10 s, and writes nothing when it wakes', async () => {
  const first = await start('first');
  const before = await term();
  await start('second');
  expect(await term()).toBe(before);

  first.signal('SIGSTOP');
  const stoppedMs = performance.now();
  const { now: stopped } = await one<{ now: Date }>('SELECT clock_timestamp() AS now');
  await eventually(
    () => writesSince('second', stopped),
    (writes) => writes > 0,
  );
  expect(performance.now() - stoppedMs).toBeLessThan(10_000);
  expect(await term()).toBe(before + 1n);

  const { now: woken } = await one<{ now: Date }>('SELECT clock_timestamp() AS now');
  first.signal('SIGCONT');
  await anvil.testClient.mine({ blocks: 3 });
  await eventually(
    () => writesSince('second', woken),
    (writes) => writes > 5,
  );
  expect(await writesSince('first', woken)).toBe(0);

  await services[1]!.stop('SIGKILL');
  const { now: killed } = await one<{ now: Date }>('SELECT clock_timestamp() AS now');
  const killedMs = performance.now();
  await eventually(
    () => writesSince('first', killed),
    (writes) => writes > 0,
  );
  expect(performance.now() - killedMs).toBeLessThan(10_000);
  expect(await term()).toBe(before + 2n);
  expect(first.printed).not.toContain('DeprecationWarning');
});

it('a leader whose loop is blocked for 8 s is followed, and writes nothing when it goes on', async () => {
  await start('third');
  const leader = services[0]!;
  const before = await term();
  const { now: blocked } = await one<{ now: Date }>('SELECT clock_timestamp() AS now');
  const blockedMs = performance.now();
  leader.signal('SIGUSR2');
  await eventually(
    () => writesSince('third', blocked),
    (writes) => writes > 0,
  );
  expect(performance.now() - blockedMs).toBeLessThan(10_000);
  expect(await term()).toBe(before + 1n);
  const { now: followed } = await one<{ now: Date }>('SELECT clock_timestamp() AS now');
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, 9_000 - (performance.now() - blockedMs))));
  await anvil.testClient.mine({ blocks: 3 });
  await eventually(
    () => writesSince('third', followed),
    (writes) => writes > 5,
  );
  expect(await writesSince('first', followed)).toBe(0);
  expect(await term()).toBe(before + 1n);
});
