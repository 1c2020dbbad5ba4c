import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { Writers } from '../../chain/writers.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { ownMsOf } from '../../support/run/own-time.js';
import { eventually } from '../../support/servers/receiver.js';
import { ServiceProcess } from '../../support/service/service-process.js';

// Real processes: what a stopped one does when it wakes cannot be seen inside of one. Needs a build.

let database: TestDatabase;
let anvil: TestAnvil;
let client: Client;
let writers: Writers;
const services: ServiceProcess[] = [];

beforeAll(async () => {
  [database, anvil] = await Promise.all([createTestDatabase(), startTestAnvil()]);
  client = new Client(database.url);
  await client.connect();
  writers = await Writers.note(client);
});
afterAll(async () => {
  for (const service of services) await service.stop('SIGKILL');
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

/** Somebody has the network in time: the lease's few seconds, a look for it, and a step. */
async function follows(name: string): Promise<void> {
  const tookMs = await ownMsOf(async () => {
    const since = await writers.now();
    await eventually(
      () => writers.since(name, since),
      (writes) => writes > 0,
    );
  });
  expect(tookMs).toBeLessThan(10_000);
}

it('a leader that is stopped is followed within 10 s, and writes nothing when it wakes', async () => {
  const first = await start('first');
  const before = await writers.term();
  await start('second');
  expect(await writers.term()).toBe(before);

  first.signal('SIGSTOP');
  await follows('second');
  expect(await writers.term()).toBe(before + 1n);

  const woken = await writers.now();
  first.signal('SIGCONT');
  await anvil.testClient.mine({ blocks: 3 });
  await eventually(
    () => writers.since('second', woken),
    (writes) => writes > 5,
  );
  expect(await writers.since('first', woken)).toBe(0);

  await services[1]!.stop('SIGKILL');
  await follows('first');
  expect(await writers.term()).toBe(before + 2n);
});

it('a leader whose loop is blocked is followed, and writes nothing when it goes on', async () => {
  await start('third');
  const leader = services[0]!;
  const before = await writers.term();
  const goesOn = leader.answer('goesOn');
  leader.signal('SIGUSR2');
  await follows('third');
  expect(await writers.term()).toBe(before + 1n);
  const followed = await writers.now();
  writeFileSync(RELEASE, '');
  await goesOn;
  await anvil.testClient.mine({ blocks: 3 });
  await eventually(
    () => writers.since('third', followed),
    (writes) => writes > 5,
  );
  expect(await writers.since('first', followed)).toBe(0);
  expect(await writers.term()).toBe(before + 1n);
});
