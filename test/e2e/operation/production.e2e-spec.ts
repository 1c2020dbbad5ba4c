import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newApiKey } from '../../../src/modules/auth/domain/api-key.js';
import { type DatabaseProxy, databaseProxy } from '../../support/api/api-database-proxy.js';
import { exchange, rawRequest } from '../../support/api/api-raw.js';
import { administer } from '../../support/database/administer.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { PriceServer } from '../../support/servers/price-server.js';
import { eventually } from '../../support/servers/receiver.js';
import { PRODUCTION_HOST, ProductionProcess } from '../../support/service/production.js';

// The service as the image runs it: production, its own process, the shipped files alone. Needs a build.

const TOKEN = 'scrape-me-0123456789';

let database: TestDatabase;
let proxy: DatabaseProxy;
let anvil: TestAnvil;
let prices: PriceServer;
let service: ProductionProcess;

/** More pairs than a source may be asked for at once without Node taking it for a leak. */
const TOKENS = ['USDC', 'USDT', 'DAI', 'EURC'].map((symbol, i) => ({
  symbol,
  decimals: 6,
  contract: `0x${String(i + 1).repeat(40)}`,
}));
const NETWORK = {
  id: 'dev',
  name: 'Dev',
  chainId: 31337,
  blockIntervalS: 1,
  safeAfterS: 4,
  finalizedAfterS: 8,
  pollIntervalMs: 500,
  assets: [{ symbol: 'ETH', decimals: 18 }, ...TOKENS],
};

function writeTemporary(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'rappen-networks-')), 'networks.json');
  writeFileSync(path, text);
  return path;
}

/** As from a second machine, which the test does not have: to PostgreSQL each connection comes from an address of documentation. */
async function reachedFromElsewhere({ url }: TestDatabase): Promise<void> {
  await administer(url, [
    `CREATE VIEW pg_stat_activity AS
     SELECT (jsonb_populate_record(a, '{"client_addr": "192.0.2.7"}')).* FROM pg_catalog.pg_stat_activity a`,
    `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET search_path = public, pg_catalog`,
  ]);
}

beforeAll(async () => {
  [database, anvil, prices] = await Promise.all([
    createTestDatabase(),
    startTestAnvil({ blockTimeS: 1 }),
    PriceServer.start(),
  ]);
  await reachedFromElsewhere(database);
  proxy = await databaseProxy(database.url);
  const networksFile = writeTemporary(JSON.stringify([{ ...NETWORK, rpcUrl: anvil.rpcUrl }]));
  service = await ProductionProcess.create({
    DATABASE_URL: proxy.url,
    NETWORKS_FILE: networksFile,
    METRICS_TOKEN: TOKEN,
    ...Object.fromEntries(
      ['KRAKEN', 'COINBASE', 'BITSTAMP', 'BITPAY'].map((name) => [`RATES_${name}_URL`, prices.origin]),
    ),
  });
  await service.start();
});
afterAll(async () => {
  await service?.dispose();
  await Promise.all([prices?.stop(), anvil?.stop(), database?.drop()]);
});

it('writes one JSON object a line, and no warning of the process, while every source is asked for every pair', async () => {
  const asked = () => prices.asked.filter((path) => path.startsWith('/api/v2/ticker/')).length;
  expect(await eventually(asked, (n) => n > 10)).toBeGreaterThan(10);
  expect(service.lines.filter((line) => typeof line === 'string')).toEqual([]);
  expect(service.lines).not.toContainEqual(expect.objectContaining({ context: 'Process' }));
});

it('says at its start, in one line, what runs and how it is configured, without a secret', () => {
  const said = service.lines.filter((line) => typeof line === 'object' && 'version' in line);
  const { version } = JSON.parse(readFileSync(join(service.folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(said).toHaveLength(1);
  expect(said[0]).toMatchObject({
    level: 'info',
    msg: `Rappen ${version} starts`,
    version,
    node: process.versions.node,
    config: { mode: 'production', networks: [{ id: 'dev', node: new URL(anvil.rpcUrl).host }] },
  });
  expect(service.printed).not.toContain(TOKEN);
});

it.each([
  ['its role owns the tables', 'ApplicationRole', /^the database role of this service owns its tables/],
  [
    'its connection to the database can be read on the way',
    'Database',
    /^the connection to PostgreSQL is not encrypted/,
  ],
])('warns at its start that %s', (_what, context, msg) => {
  const warning = { level: 'warn', context, msg: expect.stringMatching(msg) as string };
  expect(service.lines).toContainEqual(expect.objectContaining(warning));
});

it('says in the body of /health/ready why it does not watch a network', async () => {
  const response = await fetch(`http://127.0.0.1:${service.port}/health/ready`);
  expect(response.status).toBe(200);
  const { checks } = (await response.json()) as { checks: { networks: { detail: unknown } } };
  // No token lies where the configuration says.
  const reason = expect.stringContaining('USDT on dev is configured with 6 decimals') as string;
  expect(checks.networks.detail).toEqual([
    expect.objectContaining({ network: 'dev', state: 'starting', reason }),
  ]);
});

it('runs a command in the files that the image ships, by the name that the package gives it', async () => {
  const { bin } = JSON.parse(readFileSync(join(service.folder, 'package.json'), 'utf8')) as {
    bin?: Record<string, string>;
  };
  expect(bin).toEqual({ rappen: 'dist/cli/main.js' });
  const created = await service.rappen(['merchant', 'create', '--name', 'Shop', '--json']);
  expect([created.code, created.stderr]).toEqual([0, '']);
  expect(JSON.parse(created.stdout)).toMatchObject({ name: 'Shop', status: 'pending' });
});

it.each(['127.0.0.1', 'localhost', 'rappen-2.internal:3000'])(
  'is scraped directly as %s with the token, past any proxy',
  async (host) => {
    const [request, authorization] = ['GET /metrics HTTP/1.1', `Authorization: Bearer ${TOKEN}`];
    const answer = await exchange(service.port, rawRequest(request, [`Host: ${host}`, authorization]));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('rappen_rate_sources');
    const without = await exchange(service.port, rawRequest(request, [`Host: ${host}`]));
    expect(without.status).toBe(404);
    // The proxy says that the token came over plain http from outside.
    const exposed = [`Host: ${host}`, authorization, 'X-Forwarded-Proto: http'];
    expect((await exchange(service.port, rawRequest(request, exposed))).status).toBe(403);
  },
);

it('has nothing installed or built under it by `npm run cli`', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rappen-lean-'));
  cpSync(join(import.meta.dirname, '../../../scripts'), join(folder, 'scripts'), { recursive: true });
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  const { status, stderr } = spawnSync(process.execPath, ['scripts/ensure.mjs', '--build'], {
    cwd: folder,
    env: { PATH: '/nonexistent', NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('nothing is installed or built here');
  expect(stderr).toContain('node dist/cli/main.js');
  expect(readdirSync(folder).sort()).toEqual(['package-lock.json', 'scripts']);
  rmSync(folder, { recursive: true });
});

it('says in one line that its port is taken', async () => {
  const second = await ProductionProcess.create({ ...service.settings, PORT: String(service.port) });
  second.launch();
  expect(await second.ended()).toBe(1);
  const said = second.lines.filter((line) => typeof line === 'string');
  expect(said).toEqual([
    `Port ${service.port} of 127.0.0.1 is taken by another program. Set PORT or HOST to another.`,
  ]);
  await second.dispose();
});

it('answers 503 while its database is down, and says so in one line for all of them', async () => {
  const headers = [`Host: ${PRODUCTION_HOST}`, 'X-Forwarded-Proto: https', `X-Api-Key: ${newApiKey()}`];
  const ask = () => exchange(service.port, rawRequest('GET /api/v1/intents HTTP/1.1', headers));
  expect((await ask()).status).toBe(401);
  await proxy.shut();
  for (let n = 0; n < 20; n++) expect((await ask()).status).toBe(503);
  const said = service.lines.filter(
    (line) => typeof line === 'object' && line['context'] === 'ProblemFilter',
  );
  expect(said).toHaveLength(1);
  expect(said[0]).toMatchObject({
    level: 'error',
    msg: expect.stringContaining('cannot be reached') as string,
  });
  expect(said[0]).not.toHaveProperty('err');
});
