import type { Helper } from '../helper.js';
import { type Load, type LoadShape, SERVICE_CORE, type Stage } from '../stage.js';
import type { Row } from '../table.js';
import { CONNECTIONS, rowsOf, turns } from '../turns.js';
import { createShape, readShape, withIntents, withWallet } from './api-rows.js';

/**
 * The same load on one instance, and half of it on each of two on one database. The second has the core that PostgreSQL
 * and the load share already, so of two cores this shows what sharing costs more than what another core brings.
 */
export async function instances(stage: Stage): Promise<Row[]> {
  const { url: databaseUrl, pool } = await stage.database();
  const service = await stage.service(databaseUrl);
  const { merchantId, key, endpoints } = await service.shop('bench', []);
  await withWallet(pool, merchantId);
  const first = { databaseUrl, pool, service, merchantId, key, endpoints };
  const { ids } = await withIntents(stage, first);
  const second = { ...first, service: await stage.service(databaseUrl, { core: 1 - SERVICE_CORE }) };
  const loads = [stage.helper('load-process.mjs'), stage.helper('load-process.mjs')] as const;
  const requests = stage.quick ? 200 : 10_000;
  const rows: Row[] = [];
  for (const [name, shapeOf] of [
    ['read', (of: typeof first) => readShape({ ...of, ids }, requests)],
    ['create', (of: typeof first) => createShape(of, requests)],
  ] as const) {
    const half = (of: typeof first): LoadShape => ({
      ...shapeOf(of),
      requests: requests / 2,
      connections: CONNECTIONS / 2,
    });
    const both = () => together(stage, [loads[0], half(first)], [loads[1], half(second)]);
    const taken = await turns(stage, [both], () => stage.load(loads[0], shapeOf(first)));
    rows.push(...rowsOf(`${name}, two instances`, '/s', 'one instance', taken, (load) => load.perSecond));
  }
  return rows;
}

/** Two loads that begin at once, after both have warmed up: as many a second as both had by the time the later one ended. */
async function together(stage: Stage, ...loads: readonly (readonly [Helper, LoadShape])[]): Promise<Load> {
  const warm = (shape: LoadShape) => ({ ...shape, requests: Math.ceil(shape.requests / 10) });
  await Promise.all(loads.map(([helper, shape]) => stage.run(helper, warm(shape))));
  const taken = await Promise.all(loads.map(([helper, shape]) => stage.run(helper, shape)));
  const seconds = Math.max(...taken.map(({ perSecond }, i) => loads[i]![1].requests / perSecond));
  return { ...taken[0]!, perSecond: loads.reduce((sum, [, { requests }]) => sum + requests, 0) / seconds };
}
