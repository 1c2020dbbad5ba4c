import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '../support/database/cluster.js';
import { canPin } from '../support/service/cores.js';
import { create, list, read } from './rows/api-rows.js';
import { chains } from './rows/chains-rows.js';
import { checkout } from './rows/checkout-rows.js';
import { crowded, deliver, latency } from './rows/delivery-rows.js';
import { express } from './rows/express-rows.js';
import { growth } from './rows/growth-rows.js';
import { hostile } from './rows/hostile-rows.js';
import { instances } from './rows/instances-rows.js';
import { live } from './rows/live-rows.js';
import { load } from './rows/load-rows.js';
import { dashboard } from './rows/page-rows.js';
import { paint } from './rows/paint-rows.js';
import { partitions } from './rows/partitions-rows.js';
import { payment } from './rows/payment-rows.js';
import { reconcileBitcoin } from './rows/reconcile-bitcoin-rows.js';
import { reconcile } from './rows/reconcile-rows.js';
import { search } from './rows/search-rows.js';
import { standby } from './rows/standby-rows.js';
import { start } from './rows/start-rows.js';
import { watched } from './rows/watched-rows.js';
import { commitOf, Stage } from './stage.js';
import { markdown, type Row } from './table.js';

/** In the order of the table. */
export const MEASURES: Readonly<Record<string, (stage: Stage) => Promise<Row[]>>> = {
  create,
  read,
  list,
  express,
  search,
  deliver,
  latency,
  crowded,
  checkout,
  paint,
  dashboard,
  growth,
  partitions,
  instances,
  standby,
  payment,
  start,
  live,
  hostile,
  chains,
  watched,
  reconcile,
  'reconcile-bitcoin': reconcileBitcoin,
  load,
};

/** One takes the better part of an hour, one tries what no release does, one needs a PostgreSQL of the machine's. */
const ONLY_IF_NAMED = ['growth', 'partitions', 'standby'];
/** Those that can be measured in turns with another checkout. */
const BESIDE_ANOTHER = [
  'create',
  'read',
  'list',
  'express',
  'deliver',
  'latency',
  'crowded',
  'checkout',
  'payment',
  'chains',
];
const REPEATS = 5;

/** Needs the cluster of a test run. @param say is told of each measure's rows at once: a later one may fail */
export async function measure(
  names: readonly string[],
  quick: boolean,
  repeats: number,
  say: (text: string) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of names) {
    const stage = new Stage(repeats, quick);
    say(`${name} …`);
    try {
      const taken = await MEASURES[name]!(stage);
      say(markdown(taken));
      rows.push(...taken);
    } finally {
      await stage.clear();
    }
  }
  return rows;
}

/** The command `npm run bench`. */
export async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      repeats: { type: 'string' },
      out: { type: 'string' },
    },
    allowPositionals: true,
  });
  const possible = Stage.beside === undefined ? Object.keys(MEASURES) : BESIDE_ANOTHER;
  const all = possible.filter((name) => !ONLY_IF_NAMED.includes(name));
  const names = positionals.length > 0 ? positionals : all;
  const unknown = names.filter((name) => !possible.includes(name));
  if (unknown.length > 0) {
    const where = Stage.beside === undefined ? '' : ' beside another checkout (BENCH_BESIDE)';
    throw new Error(`No such row${where}: ${unknown.join(', ')}. There are: ${possible.join(', ')}`);
  }
  const repeats = Number(values.repeats ?? (values.quick ? 1 : REPEATS));
  if (!Number.isInteger(repeats) || repeats < 1) throw new Error('--repeats is a number, 1 or more.');
  if (values.out !== undefined) mkdirSync(dirname(values.out), { recursive: true });
  Stage.takeCores();
  const head = machine();
  const stopCluster = await startCluster(true);
  try {
    const rows = await measure(names, values.quick, repeats, (text) => process.stderr.write(`${text}\n`));
    const text = `${head}; median of ${repeats}\n\n${markdown(rows)}\n`;
    if (values.out === undefined) process.stdout.write(text);
    // At the end alone: what was kept before stays until there is something instead.
    else writeFileSync(values.out, `\`${asked(args)}\`: ${text}`);
  } finally {
    await stopCluster();
  }
}

/** The command by which it can be measured again. */
function asked(args: readonly string[]): string {
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('BENCH_'));
  return [...settings.map(([name, value]) => `${name}=${value}`), 'npm run bench --', ...args].join(' ');
}

/** What is measured and on what, and how busy that was before. */
export function machine(): string {
  const cores = canPin
    ? 'the service or its rival has core 0; PostgreSQL, load and receiver share core 1'
    : 'nothing is bound to a core';
  const { model = 'unknown processor' } = cpus()[0] ?? {};
  return `${commitOf('.')}; ${new Date().toISOString().slice(0, 10)}; ${cpus().length} × ${model}, Node ${process.version}; ${cores}; load before: ${loadavg()[0]!.toFixed(1)}`;
}
