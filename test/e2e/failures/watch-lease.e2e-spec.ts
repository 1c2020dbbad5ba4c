import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { Leases } from '../../chain/leases.js';
import { Writers } from '../../chain/writers.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually } from '../../support/servers/receiver.js';
import { ServiceProcess } from '../../support/service/service-process.js';

// Real processes: what a stopped one does when it wakes cannot be seen inside of one. Needs a build.

let database: TestDatabase;
let anvil: TestAnvil;
let client: Client;
let writers: Writers;
let leases: Leases;
const services = new Map<string, ServiceProcess>();

beforeAll(async () => {
  [database, anvil] = await Promise.all([createTestDatabase(), startTestAnvil()]);
  client = new Client(database.url);
  await client.connect();
  writers = await Writers.note(client);
  leases = await Leases.note(async <Row>(sql: string) => (await client.query(sql)).rows as Row[]);
});
afterAll(async () => {
  for (const service of services.values()) await service.stop('SIGKILL');
  await client?.end();
  await Promise.all([anvil?.stop(), database?.drop()]);
  rmSync(folder, { recursive: true, force: true });
});

const folder = mkdtempSync(join(tmpdir(), 'rappen-test-lease-'));
const RELEASE = join(folder, 'release');

/**
 * Blocks the loop until there is a file: nothing is renewed, no timer runs, no answer is read. Says when what was due by then has
 * had its turn.
 */
const BLOCK_ON_SIGNAL = `import{existsSync}from'node:fs';process.on('SIGUSR2',()=>{
  while(!existsSync(${JSON.stringify(RELEASE)}));
  setTimeout(()=>process.send({goesOn:true}),1000);
})`;
const IMPORT = `data:text/javascript,${encodeURIComponent(BLOCK_ON_SIGNAL)}`;

async function start(name: string): Promise<void> {
  const chain = { rpcUrl: anvil.rpcUrl, tokens: anvil.tokens };
  const service = await ServiceProcess.create({
    databaseUrl: database.url,
    chain,
    env: { PGAPPNAME: name },
    nodeOptions: ['--import', IMPORT],
  });
  services.set(name, service);
  await service.start();
}

/** Which of the two leads, and which may follow it: a machine that stood still as one of them started may have turned them round. */
async function roles(...names: readonly [string, string]): Promise<{ leader: string; follower: string }> {
  const leader = await eventually(
    () => writers.last(),
    (name) => names.includes(name),
  );
  return { leader, follower: names.find((name) => name !== leader)! };
}

/** Whoever may follow writes, having taken the network as soon as its lease had run out. */
async function follows(name: string): Promise<void> {
  const since = await writers.now();
  await eventually(
    () => writers.since(name, since),
    (writes) => writes > 0,
  );
  await leases.expectInOrder();
}

it('a leader that is stopped is followed once its lease has run out, and writes nothing when it wakes', async () => {
  await start('first');
  await start('second');
  const { leader, follower } = await roles('first', 'second');
  await leases.expectInOrder();
  const before = await writers.term();

  services.get(leader)!.signal('SIGSTOP');
  await follows(follower);
  expect(await writers.term()).toBe(before + 1n);

  const woken = await writers.now();
  services.get(leader)!.signal('SIGCONT');
  await anvil.testClient.mine({ blocks: 3 });
  await eventually(
    () => writers.since(follower, woken),
    (writes) => writes > 5,
  );
  expect(await writers.since(leader, woken)).toBe(0);

  await services.get(follower)!.stop('SIGKILL');
  services.delete(follower);
  await follows(leader);
  expect(await writers.term()).toBe(before + 2n);
});

it('a leader whose loop is blocked is followed, and writes nothing when it goes on', async () => {
  const [left] = [...services.keys()];
  await start('third');
  const { leader, follower } = await roles(left!, 'third');
  const before = await writers.term();
  const goesOn = services.get(leader)!.answer('goesOn');
  services.get(leader)!.signal('SIGUSR2');
  await follows(follower);
  expect(await writers.term()).toBe(before + 1n);
  const followed = await writers.now();
  writeFileSync(RELEASE, '');
  await goesOn;
  await anvil.testClient.mine({ blocks: 3 });
  await eventually(
    () => writers.since(follower, followed),
    (writes) => writes > 5,
  );
  expect(await writers.since(leader, followed)).toBe(0);
  expect(await writers.term()).toBe(before + 1n);
});
