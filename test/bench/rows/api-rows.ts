import type { Pool } from 'pg';
import type { ServiceProcess } from '../../support/service/service-process.js';
import { fillIntents } from '../fill.js';
import type { Helper } from '../helper.js';
import { apiHeaders, type Load, type LoadShape, portOf, SERVICE_CORE, type Stage } from '../stage.js';
import type { Row } from '../table.js';
import { alone, CONNECTIONS, costing, loadsOf, perSecond, type Subject, subjects, turns } from '../turns.js';

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

/** What is answered several times as fast has more to answer, or it would be measured for a moment. */
const CEILING_TIMES = 4;

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
  const { databaseUrl, pool, merchantId } = await unserved(stage);
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const raw = { databaseUrl, merchantId, connections: CONNECTIONS, requests, bodyBytes: 700 };
  const taken = await turns(
    stage,
    loadsOf(stage, load, all, (each) => createShape(each, requests)),
    () => costing(pool, null, requests, () => rival.call<Load>('create', raw)),
  );
  return perSecond('create', 'the same rows by pg in one statement', taken);
}

/** A shop in a database of its own, where no job of a service works on what somebody else writes. */
async function unserved(stage: Stage): Promise<{ databaseUrl: string; pool: Pool; merchantId: string }> {
  const { url: databaseUrl, pool } = await stage.database();
  const service = await stage.service(databaseUrl);
  const { merchantId } = await service.shop('bench', []);
  await service.stop();
  return { databaseUrl, pool, merchantId };
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

/** The same of a server that answers to anything. */
export const bareShape = (
  subject: Subject & { ids: readonly string[] },
  port: number,
  requests: number,
): LoadShape => ({ ...readShape(subject, requests), port, paths: ['/'] });

/** `node:http` alone, which answers with three words of JSON. @returns its port */
export const serveBare = (rival: Helper, { databaseUrl }: Subject): Promise<number> =>
  rival.call('serve', { databaseUrl, connections: 1, texts: [], values: [], body: '{"ok":true}' });

export async function read(stage: Stage): Promise<Row[]> {
  const requests = stage.quick ? 200 : 10_000;
  const all = await subjects(stage, {}, async (each) => {
    await withWallet(each.pool, each.merchantId);
    return withIntents(stage, each);
  });
  const [{ databaseUrl, pool, ids }] = all;
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const count = CEILING_TIMES * requests;
  const query = {
    databaseUrl,
    connections: CONNECTIONS,
    requests: count,
    text: READ,
    values: ids.map((id) => [id]),
  };
  const loads = loadsOf(stage, load, all, (each) => readShape(each, requests));
  const ceiling = () => costing(pool, null, count, () => rival.call<Load>('query', query));
  const taken = await turns(stage, loads, ceiling);
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
  const [{ databaseUrl, pool, merchantId }] = all;
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const query = { databaseUrl, text: LIST, values: [[merchantId, 'settled']] };
  const measure = (connections: number, count: number) => {
    const raw = { ...query, connections, requests: CEILING_TIMES * count };
    return turns(
      stage,
      loadsOf(stage, load, all, (each) => ({ ...listShape(each, count), connections })),
      () => costing(pool, null, raw.requests, () => rival.call<Load>('query', raw)),
    );
  };
  const name = `list by status of ${size.toLocaleString('en-US')}`;
  const what = 'the same page and total by pg';
  return [
    ...perSecond(name, what, await measure(CONNECTIONS, requests)),
    ...alone(name, what, await measure(1, requests / 5)),
  ];
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
