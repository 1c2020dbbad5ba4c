import { Client } from 'pg';
import { Leases } from '../../chain/leases.js';
import { Writers } from '../../chain/writers.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually } from '../../support/servers/receiver.js';
import { VanishingProxy } from '../../support/servers/vanishing-proxy.js';
import { ServiceProcess } from '../../support/service/service-process.js';

/**
 * A leader that is cut off from the database without an end of any connection: neither of the two hears of it, and
 * what the leader had sent arrives when they meet again. Real processes; needs a build.
 */

let database: TestDatabase;
let anvil: TestAnvil;
let client: Client;
let writers: Writers;
let leases: Leases;
const proxies: VanishingProxy[] = [];
const services: ServiceProcess[] = [];

beforeAll(async () => {
  [database, anvil] = await Promise.all([createTestDatabase(), startTestAnvil()]);
  client = new Client(database.url);
  await client.connect();
  writers = await Writers.note(client);
  leases = await Leases.note(async <Row>(sql: string) => (await client.query(sql)).rows as Row[]);
  for (const name of ['first', 'second']) await start(name);
});
afterAll(async () => {
  for (const service of services) await service.stop('SIGKILL');
  await client?.end();
  for (const proxy of proxies) await proxy.stop();
  await Promise.all([anvil?.stop(), database?.drop()]);
});

async function start(name: string): Promise<void> {
  const proxy = await VanishingProxy.start(database.url);
  proxies.push(proxy);
  const chain = { rpcUrl: anvil.rpcUrl, tokens: anvil.tokens };
  const service = await ServiceProcess.create({ databaseUrl: proxy.url, chain, env: { PGAPPNAME: name } });
  services.push(service);
  await service.start();
}

/** The follower writes, having taken the network as soon as its lease had run out. */
async function follows(follower: string, parted: Date): Promise<void> {
  await anvil.testClient.mine({ blocks: 1 });
  await eventually(
    () => writers.since(follower, parted),
    (writes) => writes > 0,
  );
  await leases.expectInOrder();
}

/** Every block is seen, and by the follower alone, for longer than anything that the leader had under way can last. */
async function goesOnAlone(leader: string, follower: string, parted: Date): Promise<void> {
  const since = await writers.now();
  for (let blocks = 0; blocks < 4; blocks += 1) {
    await anvil.testClient.mine({ blocks: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  await eventually(
    () => writers.since(follower, since),
    (writes) => writes > 2,
  );
  expect(await writers.since(leader, parted)).toBe(0);
}

it('a leader that is cut off is followed once its lease has run out, and writes nothing of what it had under way', async () => {
  await eventually(
    () => writers.since('first', new Date(0)),
    (writes) => writes > 0,
  );
  const before = await writers.term();
  proxies[0]!.part();
  const parted = await writers.now();
  // Back in the very moment, while it still believes that it leads and its connections are not given up.
  await eventually(
    () => writers.term(),
    (term) => term > before,
  );
  proxies[0]!.meet();
  await follows('second', parted);
  await goesOnAlone('first', 'second', parted);
  expect(await writers.term()).toBe(before + 1n);
});

it('and so is one that is cut off in the middle of a write, whose rows it has locked', async () => {
  const before = await writers.term();
  await client.query('BEGIN; SELECT FROM chain_cursor FOR UPDATE');
  await anvil.testClient.mine({ blocks: 1 });
  const isWriting = `SELECT FROM pg_stat_activity WHERE application_name = 'second' AND wait_event_type = 'Lock'`;
  await eventually(
    async () => (await client.query(isWriting)).rowCount,
    (waiting) => waiting === 1,
  );
  proxies[1]!.part();
  const parted = await writers.now();
  await client.query('COMMIT');
  await follows('first', parted);
  proxies[1]!.meet();
  await goesOnAlone('second', 'first', parted);
  expect(await writers.term()).toBe(before + 1n);
  expect(services.map(({ running }) => running)).toEqual([true, true]);
});
