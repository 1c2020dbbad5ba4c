import type { Pool } from 'pg';
import { startTestAnvil } from '../../support/nodes/anvil.js';
import type { ServiceProcess, ServiceProcessOptions } from '../../support/service/service-process.js';
import { fillIntents } from '../fill.js';
import type { Helper } from '../helper.js';
import { runtime } from '../runtime.js';
import { apiHeaders, type Load, type LoadShape, portOf, SERVICE_CORE, Stage } from '../stage.js';
import type { Row } from '../table.js';

const CONNECTIONS = 16;
const OTHER = 'the other checkout';

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

/** A built service with a shop. */
export interface Subject {
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly service: ServiceProcess;
  readonly merchantId: string;
  readonly key: string;
}

/**
 * Ours, and behind it that of the other checkout where one is named: each with what `prepare` makes for its load.
 * @param webhookUrl whom the shop tells
 */
export async function subjects<Made>(
  stage: Stage,
  options: Partial<ServiceProcessOptions>,
  prepare: (subject: Subject) => Promise<Made>,
  webhookUrl?: string,
): Promise<[Subject & Made, ...(Subject & Made)[]]> {
  const make = async (checkout: string | undefined) => {
    const { url: databaseUrl, pool } = await stage.database(checkout);
    const service = await stage.service(databaseUrl, { ...options, checkout });
    const { merchantId, key } = await service.shop('bench', webhookUrl ? [webhookUrl] : []);
    const subject = { databaseUrl, pool, service, merchantId, key };
    return { ...subject, ...(await prepare(subject)) };
  };
  const ours = await make(undefined);
  return Stage.beside === undefined ? [ours] : [ours, await make(Stage.beside)];
}

/** With what the service's processor did for each request, those included that warm up: a busy machine changes it least. */
type Served = Load & { readonly cpuMs?: number };

export interface Taken {
  readonly ours: Served[];
  readonly ceiling: Load[];
  /** Of the other checkout. */
  readonly beside: Served[];
}

/** Takes turns, so that what else the machine does in the meantime falls on all. */
export async function turns(
  { repeats }: Stage,
  [ours, beside]: readonly [() => Promise<Served>, ...(() => Promise<Served>)[]],
  ceiling: () => Promise<Load>,
): Promise<Taken> {
  const taken: Taken = { ours: [], ceiling: [], beside: [] };
  for (let i = 0; i < repeats; i++) {
    taken.ours.push(await ours());
    taken.ceiling.push(await ceiling());
    if (beside) taken.beside.push(await beside());
  }
  return taken;
}

/** A row, and where another checkout was measured one beside that. */
export function rowsOf(
  name: string,
  unit: Row['unit'],
  what: string,
  taken: Taken,
  of: (load: Load) => number,
): Row[] {
  const values = taken.ours.map(of);
  const row = (other: string, loads: readonly Load[]): Row => ({
    name,
    unit,
    values,
    ceiling: { what: other, values: loads.map(of) },
  });
  const rows = [row(what, taken.ceiling)];
  return taken.beside.length === 0 ? rows : [...rows, row(OTHER, taken.beside)];
}

/** As many as there is time for at once; beside another checkout also what each costs. */
function perSecond(name: string, what: string, taken: Taken): Row[] {
  const rows = rowsOf(`${name}, ${CONNECTIONS} connections`, '/s', what, taken, (load) => load.perSecond);
  if (taken.beside.length === 0) return rows;
  const cpu = (loads: readonly Served[]) => loads.map(({ cpuMs }) => cpuMs ?? NaN);
  const ceiling = { what: OTHER, values: cpu(taken.beside) };
  return [...rows, { name: `${name}, processor for each`, unit: 'ms', values: cpu(taken.ours), ceiling }];
}

/** How long one takes when nothing else is asked. */
const alone = (name: string, what: string, taken: Taken) =>
  rowsOf(`${name}, one alone`, 'ms', what, taken, (load) => load.p50Ms);

/** The load of each subject, in the order of the subjects. */
function loadsOf<Made extends Subject>(
  stage: Stage,
  load: Helper,
  [ours, ...others]: readonly [Made, ...Made[]],
  shapeOf: (made: Made) => LoadShape,
): [() => Promise<Served>, ...(() => Promise<Served>)[]] {
  const run = (made: Made) => async () => {
    const before = await runtime(made.service.url);
    const shape = shapeOf(made);
    const taken = await stage.load(load, shape);
    const after = await runtime(made.service.url);
    return { ...taken, cpuMs: (after.cpuMs - before.cpuMs) / (1.1 * shape.requests) };
  };
  return [run(ours), ...others.map(run)];
}

export const createShape = ({ service, key }: Subject, requests: number): LoadShape => ({
  port: portOf(service.url),
  connections: CONNECTIONS,
  requests,
  method: 'POST',
  paths: ['/api/v1/intents'],
  headers: apiHeaders(service.url, key),
  body: JSON.stringify({ amount: 49.9, currency: 'CHF', title: 'Order', idempotencyKey: 'order-{n}' }),
  expected: 201,
});

export async function create(stage: Stage): Promise<Row[]> {
  const requests = stage.quick ? 200 : 10_000;
  const all = await subjects(stage, {}, () => Promise.resolve({}));
  const [{ databaseUrl, merchantId }] = all;
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const raw = { databaseUrl, merchantId, connections: CONNECTIONS, requests, bodyBytes: 700 };
  const taken = await turns(
    stage,
    loadsOf(stage, load, all, (each) => createShape(each, requests)),
    () => rival.call<Load>('create', raw),
  );
  return perSecond('create', 'the same rows by pg in one statement', taken);
}

/** 10,000 intents of a merchant that has one extended key, and a thousand ids of them. */
export async function withIntents(
  { quick }: Stage,
  { pool, merchantId }: Subject,
): Promise<{ ids: readonly string[] }> {
  await fillIntents(pool, merchantId, quick ? 100 : 10_000);
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM intent ORDER BY random() LIMIT 1000');
  return { ids: rows.map(({ id }) => id) };
}

export const readShape = (
  { service, key, ids }: Subject & { ids: readonly string[] },
  requests: number,
): LoadShape => ({
  ...apiGet(service, key, requests),
  paths: ids.map((id) => `/api/v1/intents/${id}`),
});

export async function read(stage: Stage): Promise<Row[]> {
  const requests = stage.quick ? 200 : 10_000;
  const all = await subjects(stage, {}, async (each) => {
    await withWallet(each.pool, each.merchantId);
    return withIntents(stage, each);
  });
  const [{ databaseUrl, ids }] = all;
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const query = {
    databaseUrl,
    connections: CONNECTIONS,
    requests,
    text: READ,
    values: ids.map((id) => [id]),
  };
  const loads = loadsOf(stage, load, all, (each) => readShape(each, requests));
  const taken = await turns(stage, loads, () => rival.call<Load>('query', query));
  return perSecond('read', 'the same row by pg', taken);
}

export const listShape = ({ service, key }: Subject, requests: number): LoadShape => ({
  ...apiGet(service, key, requests),
  paths: ['/api/v1/intents?status=settled&pageSize=20'],
});

export async function list(stage: Stage): Promise<Row[]> {
  const sizes = stage.quick ? [100, 1_000] : [10_000, 1_000_000];
  const rows: Row[] = [];
  for (const size of sizes) rows.push(...(await listOf(stage, size)));
  return rows;
}

async function listOf(stage: Stage, size: number): Promise<Row[]> {
  const requests = stage.quick ? 100 : 3_000;
  const all = await subjects(stage, {}, async ({ pool, merchantId }) => {
    await withWallet(pool, merchantId);
    await fillIntents(pool, merchantId, size);
    return {};
  });
  const [{ databaseUrl, merchantId }] = all;
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const query = { databaseUrl, text: LIST, values: [[merchantId, 'settled']] };
  const measure = (connections: number, count: number) =>
    turns(
      stage,
      loadsOf(stage, load, all, (each) => ({ ...listShape(each, count), connections })),
      () => rival.call<Load>('query', { ...query, connections, requests: count }),
    );
  const name = `list by status of ${size.toLocaleString('en-US')}`;
  const what = 'the same page and total by pg';
  return [
    ...perSecond(name, what, await measure(CONNECTIONS, requests)),
    ...alone(name, what, await measure(1, requests / 5)),
  ];
}

/** An intent whose buyer has picked, and has yet to pay. */
export async function withPicked({ pool, service, key }: Subject): Promise<{ id: string }> {
  const id = await pickedIntent(service, key);
  await pool.query('ANALYZE');
  return { id };
}

export const pageShape = ({ service, id }: Subject & { id: string }, requests: number): LoadShape => ({
  port: portOf(service.checkoutUrl),
  connections: CONNECTIONS,
  requests,
  method: 'GET',
  paths: [`/pay/${id}`],
  headers: { host: new URL(service.checkoutUrl).host },
  expected: 200,
});

export type Filled = Subject & { readonly id: string; readonly ids: readonly string[] };

/** A shop with 10,000 intents, and one whose buyer has picked. */
export async function filled(stage: Stage): Promise<Filled> {
  const anvil = await startTestAnvil();
  stage.onClear(() => anvil.stop());
  const [subject] = await subjects(stage, { chain: anvil }, async (each) => ({
    ...(await withIntents(stage, each)),
    // Afterwards, because it has the tables analysed.
    ...(await withPicked(each)),
  }));
  return subject;
}

/** The page that a buyer looks at longest: the amount, the address and its QR code. */
export async function checkout(stage: Stage): Promise<Row[]> {
  const requests = stage.quick ? 100 : 2_000;
  const anvil = await startTestAnvil();
  stage.onClear(() => anvil.stop());
  const all = await subjects(stage, { chain: anvil }, withPicked);
  const [{ databaseUrl, service, id }] = all;
  const body = await (await fetch(`${service.checkoutUrl}/pay/${id}`)).text();
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const bare = { databaseUrl, connections: CONNECTIONS, texts: [READ], values: [id], body };
  const port = await rival.call<number>('serve', bare);
  const measure = async (connections: number, count: number) => {
    const shapeOf = (each: (typeof all)[0]) => ({ ...pageShape(each, count), connections });
    return turns(stage, loadsOf(stage, load, all, shapeOf), () =>
      stage.load(load, { ...shapeOf(all[0]), port }),
    );
  };
  const what = 'the same bytes by node:http after one query';
  return [
    ...perSecond('checkout page', what, await measure(CONNECTIONS, requests)),
    ...alone('checkout page', what, await measure(1, Math.ceil(requests / 5))),
  ];
}

/** An intent that waits for USDC on Ethereum. @param n of buyers: each has an address of its own, and so its own limits */
export async function pickedIntent(service: ServiceProcess, key: string, n = 0): Promise<string> {
  const created = await fetch(`${service.url}/api/v1/intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 49.9, currency: 'CHF', title: 'Order 1001' }),
  });
  const { id } = (await created.json()) as { id: string };
  const picked = await fetch(`${service.checkoutUrl}/pay/${id}/asset`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `10.0.${n >> 8}.${n & 255}`,
    },
    body: 'network=ethereum&asset=USDC',
  });
  if (picked.status !== 303) throw new Error(`A choice was answered ${picked.status}.`);
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
