import type { Pool } from 'pg';
import { startTestAnvil } from '../support/anvil.js';
import type { ServiceProcess } from '../support/service-process.js';
import { fillIntents } from './rows.js';
import { apiHeaders, portOf, SERVICE_CORE, type Load, type LoadShape, type Stage } from './stage.js';
import type { Row } from './table.js';

const CONNECTIONS = 16;

export const READ = `
  SELECT i.*, q.asset, q.decimals, q.amount_atoms, q.address
  FROM intent i LEFT JOIN quote q ON q.id = i.quote_id WHERE i.id = $1`;

const LIST = `
  WITH page AS (
    SELECT i.*, q.asset, q.decimals, q.amount_atoms, q.address
    FROM intent i LEFT JOIN quote q ON q.id = i.quote_id
    WHERE i.merchant_id = $1 AND i.status = $2 ORDER BY i.created_at DESC, i.id DESC LIMIT 20
  )
  SELECT n.total, page.*
  FROM (SELECT sum(intents) AS total FROM intent_count WHERE merchant_id = $1 AND status = $2) AS n, page`;

/** Takes turns, so that what else the machine does in the meantime falls on both. */
export async function turns(
  { repeats }: Stage,
  ours: () => Promise<Load>,
  ceiling: () => Promise<Load>,
): Promise<{ ours: Load[]; ceiling: Load[] }> {
  const taken = { ours: [] as Load[], ceiling: [] as Load[] };
  for (let i = 0; i < repeats; i++) {
    taken.ours.push(await ours());
    taken.ceiling.push(await ceiling());
  }
  return taken;
}

const rates = (loads: readonly Load[]) => loads.map(({ perSecond }) => perSecond);

/** The time that one of them takes when nothing else is asked, beside the same of the ceiling. */
function times(name: string, what: string, taken: { ours: Load[]; ceiling: Load[] }): Row {
  const p50 = (loads: readonly Load[]) => loads.map(({ p50Ms }) => p50Ms);
  return { name, unit: 'ms', values: p50(taken.ours), ceiling: { what, values: p50(taken.ceiling) } };
}

export async function create(stage: Stage): Promise<Row[]> {
  const requests = stage.quick ? 200 : 10_000;
  const { url: databaseUrl } = await stage.database();
  const service = await stage.service(databaseUrl);
  const { merchantId, key } = await service.shop('bench', []);
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const shape: LoadShape = {
    port: portOf(service.url),
    connections: CONNECTIONS,
    requests,
    method: 'POST',
    paths: ['/api/v1/intents'],
    headers: apiHeaders(service.url, key),
    body: JSON.stringify({ amount: 49.9, currency: 'CHF', title: 'Order', idempotencyKey: 'order-{n}' }),
    expected: 201,
  };
  const raw = { databaseUrl, merchantId, connections: CONNECTIONS, requests, bodyBytes: 700 };
  const taken = await turns(
    stage,
    () => stage.load(load, shape),
    () => rival.call<Load>('create', raw),
  );
  const what = 'the same rows by pg in one statement';
  return [
    {
      name: `create, ${CONNECTIONS} connections`,
      unit: '/s',
      values: rates(taken.ours),
      ceiling: { what, values: rates(taken.ceiling) },
    },
  ];
}

export async function read(stage: Stage): Promise<Row[]> {
  const requests = stage.quick ? 200 : 10_000;
  const { url: databaseUrl, pool } = await stage.database();
  const service = await stage.service(databaseUrl);
  const { merchantId, key } = await service.shop('bench', []);
  await withWallet(pool, merchantId);
  await fillIntents(pool, merchantId, stage.quick ? 100 : 10_000);
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM intent ORDER BY random() LIMIT 1000');
  const ids = rows.map(({ id }) => id);
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const shape: LoadShape = {
    ...apiGet(service, key, requests),
    paths: ids.map((id) => `/api/v1/intents/${id}`),
  };
  const query = {
    databaseUrl,
    connections: CONNECTIONS,
    requests,
    text: READ,
    values: ids.map((id) => [id]),
  };
  const taken = await turns(
    stage,
    () => stage.load(load, shape),
    () => rival.call<Load>('query', query),
  );
  const ceiling = { what: 'the same row by pg', values: rates(taken.ceiling) };
  return [{ name: `read, ${CONNECTIONS} connections`, unit: '/s', values: rates(taken.ours), ceiling }];
}

export async function list(stage: Stage): Promise<Row[]> {
  const sizes = stage.quick ? [100, 1_000] : [10_000, 1_000_000];
  const rows: Row[] = [];
  for (const size of sizes) rows.push(...(await listOf(stage, size)));
  return rows;
}

async function listOf(stage: Stage, size: number): Promise<Row[]> {
  const requests = stage.quick ? 100 : 3_000;
  const { url: databaseUrl, pool } = await stage.database();
  const service = await stage.service(databaseUrl);
  const { merchantId, key } = await service.shop('bench', []);
  await withWallet(pool, merchantId);
  await fillIntents(pool, merchantId, size);
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const shape: LoadShape = {
    ...apiGet(service, key, requests),
    paths: ['/api/v1/intents?status=settled&pageSize=20'],
  };
  const query = { databaseUrl, requests, text: LIST, values: [[merchantId, 'settled']] };
  const busy = await turns(
    stage,
    () => stage.load(load, shape),
    () => rival.call<Load>('query', { ...query, connections: CONNECTIONS }),
  );
  const alone = await turns(
    stage,
    () => stage.load(load, { ...shape, connections: 1, requests: requests / 5 }),
    () => rival.call<Load>('query', { ...query, connections: 1, requests: requests / 5 }),
  );
  const name = `list by status of ${size.toLocaleString('en-US')}`;
  const what = 'the same page and total by pg';
  return [
    {
      name: `${name}, ${CONNECTIONS} connections`,
      unit: '/s',
      values: rates(busy.ours),
      ceiling: { what, values: rates(busy.ceiling) },
    },
    times(`${name}, one alone`, what, alone),
  ];
}

/** The page that a buyer looks at longest: the amount, the address and its QR code. */
export async function checkout(stage: Stage): Promise<Row[]> {
  const requests = stage.quick ? 100 : 2_000;
  const { url: databaseUrl, pool } = await stage.database();
  const anvil = await startTestAnvil();
  stage.onClear(() => anvil.stop());
  const service = await stage.service(databaseUrl, { chain: anvil });
  const { key } = await service.shop('bench', []);
  const id = await pickedIntent(service, key);
  const page = await fetch(`${service.checkoutUrl}/pay/${id}`);
  const body = await page.text();
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const shape: LoadShape = {
    port: portOf(service.checkoutUrl),
    connections: CONNECTIONS,
    requests,
    method: 'GET',
    paths: [`/pay/${id}`],
    headers: { host: new URL(service.checkoutUrl).host },
    expected: 200,
  };
  await pool.query('ANALYZE');
  const bare = { databaseUrl, connections: CONNECTIONS, texts: [READ], values: [id], body };
  const port = await rival.call<number>('serve', bare);
  const measure = async (connections: number, count: number) =>
    turns(
      stage,
      () => stage.load(load, { ...shape, connections, requests: count }),
      () => stage.load(load, { ...shape, port, connections, requests: count }),
    );
  const busy = await measure(CONNECTIONS, requests);
  const alone = await measure(1, Math.ceil(requests / 5));
  const what = 'the same bytes by node:http after one query';
  return [
    {
      name: `checkout page, ${CONNECTIONS} connections`,
      unit: '/s',
      values: rates(busy.ours),
      ceiling: { what, values: rates(busy.ceiling) },
    },
    times('checkout page, one alone', what, alone),
  ];
}

async function pickedIntent(service: ServiceProcess, key: string): Promise<string> {
  const created = await fetch(`${service.url}/api/v1/intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 49.9, currency: 'CHF', title: 'Order 1001' }),
  });
  const { id } = (await created.json()) as { id: string };
  await fetch(`${service.checkoutUrl}/pay/${id}/asset`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'network=ethereum&asset=USDC',
  });
  return id;
}

/** An extended key whose addresses the made payments can have. */
export async function withWallet(pool: Pool, merchantId: string): Promise<void> {
  await pool.query(
    `INSERT INTO extended_key (id, merchant_id, family, xpub, key_material) VALUES ('xk_bench', $1, 'evm', 'none', 'none')`,
    [merchantId],
  );
}

function apiGet(service: ServiceProcess, key: string, requests: number): Omit<LoadShape, 'paths'> {
  return {
    port: portOf(service.url),
    connections: CONNECTIONS,
    requests,
    method: 'GET',
    headers: apiHeaders(service.url, key),
    expected: 200,
  };
}
