import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { PaymentsRepository } from '../../../src/modules/intents/reporting/data/payments.repository.js';
import { EVERY_PAYMENT } from '../../support/intents/every-payment.js';
import { fillIntents } from '../fill.js';
import type { Stage } from '../stage.js';
import { median, type Row } from '../table.js';

const MERCHANT = 'mer_bench';
/** A page of the dashboard, and one more to know whether there is another. */
const LIMIT = 51;

/** Keys are `order-1` to `order-1000000`. Each half of the titles has a word that the other has not. */
const TITLE = `CASE n % 2 WHEN 0 THEN 'Coffee beans ' ELSE 'Bicycle repair ' END || n`;

/** From what is found among the newest payments to what makes the index look through the most for nothing. */
const searchesOf = (count: number): readonly (readonly [what: string, search: string])[] => [
  ['a word that all have', 'order'],
  ['two words that half have', 'coffee beans'],
  ['digits that some have', '123'],
  ['a number that one has', String(Math.ceil(count / 2))],
  ['a word that none has', 'umbrella'],
  ['two words that half have each', 'coffee repair'],
];

/** One page of what staff types into the search, by the statements that the dashboard makes. */
export async function search(stage: Stage): Promise<Row[]> {
  const count = stage.quick ? 1_000 : Number(process.env['BENCH_PAYMENTS'] ?? 1_000_000);
  const times = stage.quick ? 3 : 50;
  const { url, pool } = await stage.database();
  await fillIntents(pool, MERCHANT, count, 'ethereum', TITLE);
  const dataSource = await new DataSource(dataSourceOptions(url, 1)).initialize();
  stage.onClear(() => dataSource.destroy());
  const payments = new PaymentsRepository(dataSource);
  const rows: Row[] = [];
  for (const [what, text] of searchesOf(count)) {
    const filter = { ...EVERY_PAYMENT, search: text };
    const page = () => payments.page({ merchantId: MERCHANT, filter, found: [], cursor: null, limit: LIMIT });
    const ids = (await page()).map(({ intent }) => intent.id);
    const [ours, bare]: [number[][], number[][]] = [[], []];
    for (let i = 0; i < stage.repeats; i += 1) {
      ours.push(await taken(times, page));
      bare.push(await taken(times, () => byId(pool, ids)));
    }
    const name = `search of ${count.toLocaleString('en-US')}, ${what}`;
    rows.push(...percentileRows(name, ours, 'the same rows by pg, by their ids', bare));
  }
  return rows;
}

/** @param ours of each repeat what `taken` returned */
export function percentileRows(
  name: string,
  ours: readonly (readonly number[])[],
  what: string,
  theirs: readonly (readonly number[])[],
): Row[] {
  const row = (percentile: string, of: (sorted: readonly number[]) => number): Row => ({
    name: `${name}, ${percentile}`,
    unit: 'ms',
    values: ours.map(of),
    ceiling: { what, values: theirs.map(of) },
  });
  return [row('p50', median), row('p95', (all) => all[Math.floor(all.length * 0.95)] ?? NaN)];
}

/** @returns milliseconds, the shortest first */
export async function taken(times: number, read: () => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const startedMs = performance.now();
    await read();
    all.push(performance.now() - startedMs);
  }
  return all.sort((a, b) => a - b);
}

function byId(pool: Pool, ids: readonly string[]): Promise<unknown> {
  const text = 'SELECT * FROM intent WHERE id = ANY ($1) ORDER BY created_at DESC, id DESC';
  return pool.query({ name: 'by-id', text, values: [ids] });
}
