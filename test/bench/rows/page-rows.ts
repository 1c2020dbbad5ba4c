import type { Pool } from 'pg';
import { crawlDashboard } from '../../support/dashboard/dashboard-crawl.js';
import type { ServiceProcess } from '../../support/service/service-process.js';
import { fillDelivered, fillIntents, fillQueue } from '../fill.js';
import { type LoadShape, portOf, SERVICE_CORE, type Stage } from '../stage.js';
import type { Row } from '../table.js';
import { rowsOf, turns } from '../turns.js';
import { READ, withWallet } from './api-rows.js';

/** The table of payments in the ways that find little, or find it late: a filter that nothing meets reads the most. */
async function filteredPaths(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; address: string }>(
    `SELECT i.id, q.address FROM intent i JOIN quote q ON q.id = i.quote_id
     WHERE i.status = 'settled' ORDER BY i.created_at OFFSET 10 LIMIT 1`,
  );
  const { id, address } = rows[0]!;
  const queries = [
    'status=settled',
    'status=failed',
    'currency=EUR',
    'asset=USDC@ethereum',
    'asset=BTC@bitcoin',
    'min=500&max=600',
    'from=2020-01-01&to=2020-12-31',
    'q=order-50',
    `q=${address}`,
    'q=nothing-of-this-name',
    `older=${id}`,
  ];
  return queries.map((query) => `/dashboard/payments?${query}`);
}

export interface Pages {
  /** A path for each page, by its kind. */
  readonly pages: readonly (readonly [kind: string, path: string])[];
  /** The page at a path; `null` where there is none. */
  read(path: string): Promise<string | null>;
  /** One after the other. */
  readonly shape: Omit<LoadShape, 'paths'>;
}

/** Every page of the dashboard as an owner gets it, and the table of payments in several ways. */
export async function pagesOf(
  { quick }: Stage,
  service: ServiceProcess,
  pool: Pool,
  merchantId: string,
): Promise<Pages> {
  const cookie = await service.owner(merchantId);
  const read = async (path: string) => {
    const response = await fetch(service.url + path, { headers: { accept: 'text/html', cookie } });
    const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
    if (isPage && response.status === 200) return response.text();
    // Of ten million payments an export is longer than a text can be.
    await response.body?.cancel();
    return null;
  };
  const { pages } = await crawlDashboard(read);
  return {
    pages: [...pages, ...(await filteredPaths(pool)).map((path) => [shortened(path), path] as const)],
    read,
    shape: {
      port: portOf(service.url),
      connections: 1,
      requests: quick ? 3 : 100,
      method: 'GET',
      headers: { host: new URL(service.url).host, accept: 'text/html', cookie },
      expected: 200,
    },
  };
}

/** Every page of the dashboard as its owner gets it, one after the other, with 100,000 intents in the table. */
export async function dashboard(stage: Stage): Promise<Row[]> {
  const { url: databaseUrl, pool } = await stage.database();
  const service = await stage.service(databaseUrl);
  const shop = await service.shop('bench', ['http://localhost:9/hook']);
  await withWallet(pool, shop.merchantId);
  await fillIntents(pool, shop.merchantId, stage.quick ? 200 : 100_000);
  await fillQueue(pool, shop.merchantId, stage.quick ? 5 : 200);
  await fillDelivered(pool, shop.endpoints[0]!.id);
  const { pages, read, shape } = await pagesOf(stage, service, pool, shop.merchantId);
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const rows: Row[] = [];
  for (const [name, path] of pages) {
    const bare = {
      databaseUrl,
      connections: 1,
      texts: [READ],
      values: ['none'],
      body: (await read(path)) ?? '',
    };
    const port = await rival.call<number>('serve', bare);
    const taken = await turns(stage, [() => stage.load(load, { ...shape, paths: [path] })], () =>
      stage.load(load, { ...shape, port, paths: [path] }),
    );
    const what = 'the same bytes by node:http after one query';
    rows.push(
      ...rowsOf(`${name}, p50`, 'ms', what, taken, ({ p50Ms }) => p50Ms),
      ...rowsOf(`${name}, p95`, 'ms', what, taken, ({ p95Ms }) => p95Ms),
    );
  }
  return rows;
}

/** Ids and addresses differ from run to run, and would make the table too wide. */
function shortened(path: string): string {
  return path.replace(/=(pi_|0x)\w+/, '=$1…');
}
