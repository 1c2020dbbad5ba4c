import { Client } from 'pg';
import { Api } from '../../support/api/api.js';
import { type DatabaseProxy, databaseProxy } from '../../support/api/api-database-proxy.js';
import { expectProblem } from '../../support/api/problems.js';
import { administer as administerServer, urlOf } from '../../support/database/administer.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: Service;
let api: Api;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await databaseProxy(database.url);
  service = await Service.start({ databaseUrl: proxy.url });
  api = new Api(service, (await service.shop()).key);
});
afterAll(async () => {
  await service.stop();
  await proxy.shut();
  await database.drop();
});

const INTENT = { amount: 1, currency: 'CHF', idempotencyKey: 'order-1' };
const everyEndpoint = async () => [
  await api.create(INTENT),
  await api.list(),
  await api.get(`pi_${'0'.repeat(30)}`),
];

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

it('answers an unforeseen error with 500 and nothing but the traceId to quote', async () => {
  await administer('ALTER TABLE intent RENAME TO gone');
  const answers = await everyEndpoint();
  await administer('ALTER TABLE gone RENAME TO intent');
  for (const answer of answers) {
    expectProblem(answer, 'internal-error');
    expect(answer.body.detail).toBe(`Quote this traceId: ${answer.body.traceId}`);
    expect(answer.text).not.toMatch(/relation|intent"|select|insert|error:|\bat \/|node_modules|\.ts|\.js/i);
  }
  expect((await api.create(INTENT)).status).toBe(201);
});

it('answers 503 where the database gave up waiting for a lock, and has done nothing', async () => {
  const { id } = (await api.create({ ...INTENT, idempotencyKey: 'order-2' })).body;
  const other = new Client({ connectionString: database.url });
  await other.connect();
  await other.query('BEGIN; LOCK TABLE intent IN EXCLUSIVE MODE');
  const refused = await api.cancel(id);
  await other.end();
  expectProblem(refused, 'unavailable');
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect((await api.get(id)).body.status).toBe('initiated');
  expect((await api.cancel(id)).status).toBe(200);
});

it('answers 503 too while its database is gone from a server that runs, and serves again when it is back', async () => {
  const name = new URL(database.url).pathname.slice(1);
  const server = (...statements: string[]) => administerServer(urlOf(database.url, 'postgres'), statements);
  await server(
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  const closed = await everyEndpoint();
  await server(`ALTER DATABASE ${name} RENAME TO ${name}_gone`);
  const gone = await everyEndpoint();
  await server(
    `ALTER DATABASE ${name}_gone RENAME TO ${name}`,
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`,
  );
  for (const answer of [...closed, ...gone]) {
    expectProblem(answer, 'unavailable');
    expect(answer.text).not.toContain(name);
  }
  expect((await api.create(INTENT)).status).toBe(200);
});

it('answers 503 with Retry-After while the database is away, and serves again when it is back', async () => {
  await proxy.shut();
  try {
    for (const answer of await everyEndpoint()) {
      expectProblem(answer, 'unavailable');
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(answer.text).not.toMatch(/ECONN|127\.0\.0\.1|postgres|password/i);
    }
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
  } finally {
    await proxy.open();
  }
  const answer = await eventually(
    () => api.create(INTENT),
    ({ status }) => status < 500,
  );
  expect(answer).toMatchObject({ status: 200, body: { amount: 1 } });
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
});
