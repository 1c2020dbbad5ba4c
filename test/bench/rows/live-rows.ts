import { setTimeout as sleep } from 'node:timers/promises';
import { fillOpen } from '../fill.js';
import type { Helper } from '../helper.js';
import { runtime } from '../runtime.js';
import { portOf, SERVICE_CORE, type Stage } from '../stage.js';
import type { Row } from '../table.js';
import { type Cost, costOfEach, spent, type Subject, subjects } from '../turns.js';
import { goingChain, mustWait } from '../waiting-pages.js';

/** Over so long nothing happens; every page is read anew a few times in it. */
const REST_MS = 45_000;
const WHAT = 'as many streams of node:http, told the same bytes';

interface Told {
  readonly halfMs: number;
  readonly lastMs: number;
}

/**
 * Ten thousand buyers with an open page each, who have picked and are to pay: what a page costs, what all of them cost while nothing happens,
 * and how soon all are told when somebody else's statement has cancelled every payment at once.
 */
export async function live(stage: Stage): Promise<Row[]> {
  const [pages, restMs] = stage.quick ? [50, 1_000] : [10_000, REST_MS];
  const chain = await goingChain(stage);
  const figures: { kB: number; openMs: number; cost: Cost; told: Told }[] = [];
  const least: { kB: number; openMs: number; told: Told }[] = [];
  for (let i = 0; i < stage.repeats; i += 1) {
    const round = stage.nested();
    try {
      const [subject] = await subjects(round, { chain, env: { CHECKOUT_STREAMS: String(pages + 1) } }, () =>
        Promise.resolve({}),
      );
      const buyers = round.helper('live-process.mjs');
      const ids = await unpaid(subject, pages);
      const paths = ids.map((id) => `/pay/${id}/events`);
      await mustWait(subject.service, ids[0]!);
      const before = await runtime(subject.service.url);
      const openMs = await buyers.call<number>('openAll', {
        port: portOf(subject.service.checkoutUrl),
        paths,
      });
      await sleep(restMs / 3);
      const opened = await spent(subject);
      await sleep(restMs);
      const rested = await spent(subject);
      const { residentBytes } = await runtime(subject.service.url);
      await mustWait(subject.service, ids[0]!);
      figures.push({
        openMs,
        kB: (residentBytes - before.residentBytes) / 1_024 / pages,
        cost: costOfEach(opened, rested, restMs / 1_000),
        told: await toldBy(buyers, () => cancelAll(subject)),
      });
      const data = await firstEvent(subject.service.checkoutUrl + paths[0]!);
      least.push(await bare(round, data, paths));
    } finally {
      await round.clear();
    }
  }
  const row = (name: string, unit: Row['unit'], of: (one: (typeof least)[0]) => number): Row => ({
    name: `${pages.toLocaleString('en-US')} open pages, ${name}`,
    unit,
    values: figures.map(of),
    ceiling: { what: WHAT, values: least.map(of) },
  });
  const atRest = (what: string, of: (cost: Cost) => number | null): Row => ({
    ...row(what, 'ms', () => 0),
    values: figures.flatMap(({ cost }) => of(cost) ?? []),
    ceiling: null,
  });
  return [
    row('memory for each', 'kB', ({ kB }) => kB),
    row('opening all', 'ms', ({ openMs }) => openMs),
    row('half of them told', 'ms', ({ told }) => told.halfMs),
    row('the last one told', 'ms', ({ told }) => told.lastMs),
    atRest('processor a second at rest', ({ service }) => service),
    atRest("PostgreSQL's processor a second at rest", ({ server }) => server),
  ];
}

async function unpaid({ pool, merchantId }: Subject, pages: number): Promise<string[]> {
  const made = await fillOpen(pool, merchantId, pages);
  await pool.query('VACUUM ANALYZE');
  return made.map(({ id }) => id);
}

/** As another instance might have. */
async function cancelAll({ pool }: Subject): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(`UPDATE intent SET status = 'cancelled', sequence = 2`);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

async function toldBy(buyers: Helper, change: () => Promise<unknown>): Promise<Told> {
  await buyers.call('listen');
  await change();
  return buyers.call<Told>('told');
}

async function firstEvent(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'text/event-stream' } });
  let text = '';
  for await (const chunk of response.body!) {
    text += Buffer.from(chunk).toString();
    const found = /^data: (\{.*)$/m.exec(text);
    if (found) return found[1]!;
  }
  throw new Error(`${url} ended without an event: ${text}`);
}

async function bare(stage: Stage, data: string, paths: readonly string[]) {
  const server = stage.helper('bare-streams.mjs', SERVICE_CORE);
  const port = await server.call<number>('serve', { data });
  const before = await server.call<number>('memory');
  const buyers = stage.helper('live-process.mjs');
  const openMs = await buyers.call<number>('openAll', { port, paths });
  const kB = ((await server.call<number>('memory')) - before) / 1_024 / paths.length;
  return { kB, openMs, told: await toldBy(buyers, () => server.call('tell', { data })) };
}
