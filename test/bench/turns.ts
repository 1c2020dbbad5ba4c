import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type {
  ProcessShop,
  ServiceProcess,
  ServiceProcessOptions,
} from '../support/service/service-process.js';
import type { Helper } from './helper.js';
import { profiled } from './profile.js';
import { runtime, serverCpuMs } from './runtime.js';
import { commitOf, type Load, type LoadShape, Stage } from './stage.js';
import type { Row } from './table.js';

export const CONNECTIONS = 16;
/** What another checkout is called in the table: by its commit. */
export const OTHER = Stage.beside === undefined ? 'the other checkout' : commitOf(Stage.beside);
/** Until what stood still has done what waited for it. */
const CATCHING_UP_MS = 1_000;

/** A built service with a shop. */
export interface Subject {
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly service: ServiceProcess;
  readonly merchantId: string;
  readonly key: string;
  readonly endpoints: ProcessShop['endpoints'];
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
    const { merchantId, key, endpoints } = await service.shop('bench', webhookUrl ? [webhookUrl] : []);
    const subject = { databaseUrl, pool, service, merchantId, key, endpoints };
    return { ...subject, ...(await prepare(subject)) };
  };
  const ours = await make(undefined);
  return Stage.beside === undefined ? [ours] : [ours, await make(Stage.beside)];
}

/** With what each request took of the processor, those included that warm up: a busy machine changes it least. */
export type Served = Load & { readonly cpu?: Cost };

export interface Cost {
  /** Of the service's process, in milliseconds; `null` where it is not known. */
  readonly service: number | null;
  /** Of PostgreSQL's. */
  readonly server: number | null;
}

/** What one turn after the other came to. */
export interface Taken<One> {
  readonly ours: One[];
  readonly ceiling: One[];
  /** Of the other checkout. */
  readonly beside: One[];
}

/** Ours, and behind it that of the other checkout where one is named. */
export type Runs<One> = readonly [() => Promise<One>, ...(() => Promise<One>)[]];

/** Takes turns, so that what else the machine does in the meantime falls on all. */
export async function turns<One>(
  { repeats }: Stage,
  [ours, beside]: Runs<One>,
  ceiling: () => Promise<One>,
): Promise<Taken<One>> {
  const taken: Taken<One> = { ours: [], ceiling: [], beside: [] };
  for (let i = 0; i < repeats; i++) {
    taken.ours.push(await ours());
    taken.ceiling.push(await ceiling());
    if (beside) taken.beside.push(await beside());
  }
  return taken;
}

/** A row, and where another checkout was measured one beside that. */
export function rowsOf<One>(
  name: string,
  unit: Row['unit'],
  what: string,
  taken: Taken<One>,
  of: (one: One) => number,
): Row[] {
  const values = taken.ours.map(of);
  const row = (other: string, all: readonly One[]): Row => ({
    name,
    unit,
    values,
    ceiling: { what: other, values: all.map(of) },
  });
  const rows = [row(what, taken.ceiling)];
  return taken.beside.length === 0 ? rows : [...rows, row(OTHER, taken.beside)];
}

/** As many as there is time for at once, and what each costs. */
export function perSecond(name: string, what: string, taken: Taken<Served>): Row[] {
  return [
    ...rowsOf(`${name}, ${CONNECTIONS} connections`, '/s', what, taken, (load) => load.perSecond),
    ...costOf(`${name}, processor for each`, what, taken, ({ service }) => service),
    ...costOf(`${name}, PostgreSQL's processor for each`, what, taken, ({ server }) => server),
  ];
}

/** Beside those of the ceiling and of the other checkout of which it is known. */
export function costOf(
  name: string,
  what: string,
  taken: Taken<{ readonly cpu?: Cost }>,
  of: (cost: Cost) => number | null,
): Row[] {
  const known = (loads: readonly { readonly cpu?: Cost }[]) =>
    loads.flatMap(({ cpu }) => (cpu && of(cpu)) ?? []);
  const others = [
    { what, values: known(taken.ceiling) },
    { what: OTHER, values: known(taken.beside) },
  ].filter(({ values }) => values.length > 0);
  const row = (ceiling: Row['ceiling']): Row => ({ name, unit: 'ms', values: known(taken.ours), ceiling });
  return others.length > 0 ? others.map(row) : [row(null)];
}

/** How long one takes when nothing else is asked. */
export const alone = (name: string, what: string, taken: Taken<Served>) =>
  rowsOf(`${name}, one alone`, 'ms', what, taken, (load) => load.p50Ms);

/** The load of each subject, in the order of the subjects. */
export function loadsOf<Made extends Subject>(
  stage: Stage,
  load: Helper,
  all: readonly [Made, ...Made[]],
  shapeOf: (made: Made) => LoadShape,
): Runs<Served> {
  return eachOf(all, (made) => {
    const shape = shapeOf(made);
    return costing(made.pool, made.service, shape.requests, () => stage.load(load, shape));
  });
}

/** The same of each subject, while the services of the others stand still. */
export function eachOf<Made extends Subject, One>(
  all: readonly [Made, ...Made[]],
  run: (made: Made) => Promise<One>,
): Runs<One> {
  const [ours, ...others] = all;
  const undisturbed = (made: Made) => () =>
    whileStill(
      all.filter((each) => each !== made),
      () => run(made),
    );
  return [undisturbed(ours), ...others.map(undisturbed)];
}

/** What they do at rest, in their processes and in PostgreSQL, would be taken for that of whoever is measured. */
async function whileStill<One>(others: readonly Subject[], run: () => Promise<One>): Promise<One> {
  if (others.length === 0) return run();
  for (const { service } of others) service.signal('SIGSTOP');
  try {
    return await run();
  } finally {
    for (const { service } of others) service.signal('SIGCONT');
    await sleep(CATCHING_UP_MS);
  }
}

/** @param run of so many requests, and a tenth of them to warm up */
export async function costing(
  pool: Pool,
  service: ServiceProcess | null,
  requests: number,
  run: () => Promise<Load>,
): Promise<Served> {
  const before = await spent({ pool, service });
  const taken = await profiled(service, run);
  return { ...taken, cpu: costOfEach(before, await spent({ pool, service }), 1.1 * requests) };
}

/** All that the service and its PostgreSQL have had of the processor. */
export async function spent(of: { pool: Pool; service: ServiceProcess | null }): Promise<Cost> {
  return {
    service: of.service && (await runtime(of.service.url)).cpuMs,
    server: await serverCpuMs(of.pool),
  };
}

export function costOfEach(before: Cost, after: Cost, count: number): Cost {
  const each = (from: number | null, to: number | null) =>
    from === null || to === null ? null : (to - from) / count;
  return { service: each(before.service, after.service), server: each(before.server, after.server) };
}
