import { spawnSync } from 'node:child_process';
import { Pool } from 'pg';
import { createDatabaseOf, createTestDatabase } from '../support/database/database.js';
import { moveToCore } from '../support/service/cores.js';
import { ServiceProcess, type ServiceProcessOptions } from '../support/service/service-process.js';
import { Helper } from './helper.js';
import { profileOptions } from './profile.js';

/** The service, or the rival that it is measured against. */
export const SERVICE_CORE = 0;
/** PostgreSQL, the load, the receiver and this process. */
const OTHER_CORE = 1;

export const METRICS_TOKEN = 'bench-bench-bench-bench';

const ENV = {
  METRICS_TOKEN,
  RATE_LIMIT_READS_PER_MINUTE: '1000000',
  RATE_LIMIT_WRITES_PER_MINUTE: '1000000',
  TRUST_PROXY: '1',
};

export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  /** Of each request, least first; only where they were asked for. */
  readonly durationsMs?: readonly number[];
}

export interface LoadShape {
  readonly port: number;
  readonly connections: number;
  readonly requests: number;
  /** At a constant rate, whether or not answers come: an open loop. Without one, as fast as they come. */
  readonly perSecond?: number;
  /** How long each took is told too, so that those of several loads can be put together. */
  readonly keeps?: boolean;
  readonly method: 'GET' | 'POST';
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** From so many in turn, as one buyer after the other; without it each request comes from one of its own. */
  readonly addresses?: number;
  readonly body?: string;
  /** JSON's where nothing is said. */
  readonly contentType?: string;
  readonly expected: number;
  /** Asked before and after each run, or something else may have been measured. @throws Error where it does not hold */
  readonly mustHold?: () => Promise<void>;
}

/** Two runs that differ by less are of a process that has warmed up … */
const STEADY = 0.05;
/** … and so does one that has had so many: what else the machine does may keep them apart. */
const WARM_RUNS = 8;
/** Where nothing is to be learned from the figures. */
const QUICK_WARM_RUNS = 2;

/** Where the rows of the table are measured. What a row starts here is stopped when the row is done. */
export class Stage {
  /** Beside other suites what is bound to a core waits for that one while another has nothing to do. */
  private static hasCores = false;
  private readonly undo: (() => Promise<void> | void)[] = [];

  constructor(
    /** How often each figure is taken. */
    readonly repeats: number,
    /** A fraction of the work, to see that everything runs. */
    readonly quick: boolean,
  ) {}

  /** The folder of another, built checkout to measure in turns with this one. */
  static get beside(): string | undefined {
    return process.env['BENCH_BESIDE'];
  }

  /** Before anything is started: what is started inherits the core. */
  static takeCores(): void {
    Stage.hasCores = true;
    moveToCore(OTHER_CORE, process.pid);
  }

  /** @returns the core to which a process is bound; none where the machine is not the benchmark's alone */
  static coreOf(core: number | undefined): number | undefined {
    return Stage.hasCores ? core : undefined;
  }

  /** @param checkout the folder of another built checkout, whose tables it gets */
  async database(checkout?: string): Promise<{ url: string; pool: Pool }> {
    const database = checkout === undefined ? await createTestDatabase() : await createDatabaseOf(checkout);
    this.undo.push(() => database.drop());
    const pool = new Pool({ connectionString: database.url, max: 4 });
    // A pool has ended before its connections have, and to one of those the drop of their database is an error.
    pool.on('error', () => undefined);
    this.undo.push(() => pool.end());
    return { url: database.url, pool };
  }

  async service(databaseUrl: string, options: Partial<ServiceProcessOptions> = {}): Promise<ServiceProcess> {
    const asked = (process.env['BENCH_NODE_OPTIONS'] ?? '').split(' ').filter(Boolean);
    const service = await ServiceProcess.create({
      databaseUrl,
      ...options,
      core: Stage.coreOf(options.core ?? SERVICE_CORE),
      nodeOptions: [...asked, ...profileOptions(), ...(options.nodeOptions ?? [])],
      env: { ...ENV, ...options.env },
    });
    this.undo.push(() => service.stop());
    await service.start();
    return service;
  }

  helper(script: string, core?: number): Helper {
    const helper = Helper.start(script, Stage.coreOf(core));
    this.undo.push(() => helper.stop());
    return helper;
  }

  /** Once, with nothing before it. Whatever makes a load has it made here, so that what must hold of a shape is asked. */
  async run(load: Helper, { mustHold, ...shape }: LoadShape): Promise<Load> {
    await mustHold?.();
    const taken = await load.call<Load>('run', shape);
    await mustHold?.();
    return taken;
  }

  /** A tenth of the requests first, so that neither the compiler nor a cold cache is measured. */
  async load(load: Helper, shape: LoadShape): Promise<Load> {
    await this.run(load, { ...shape, requests: Math.ceil(shape.requests / 10) });
    return this.run(load, shape);
  }

  /** Of a page much more is compiled than a tenth of the requests has seen. @returns the last run */
  async warm(load: Helper, shape: LoadShape): Promise<Load> {
    return untilSteady(() => this.run(load, shape), this.warmRuns);
  }

  /** As many as it takes to last so many seconds, once it is warm. The shape says how many find out the rate. */
  async loadFor(load: Helper, shape: LoadShape, seconds: number): Promise<Load> {
    const run = (last: Load | null) =>
      this.run(load, last ? { ...shape, requests: Math.ceil(last.perSecond * seconds) } : shape);
    return run(await untilSteady(run, this.warmRuns));
  }

  private get warmRuns(): number {
    return this.quick ? QUICK_WARM_RUNS : WARM_RUNS;
  }

  /** For one repeat that starts all anew. */
  nested(): Stage {
    const stage = new Stage(this.repeats, this.quick);
    this.undo.push(() => stage.clear());
    return stage;
  }

  onClear(step: () => Promise<void> | void): void {
    this.undo.push(step);
  }

  async clear(): Promise<void> {
    for (const step of this.undo.splice(0).reverse()) await step();
  }
}

/** Runs until two, one after the other, are about as fast. @param run is told of the one before @returns the last */
export async function untilSteady(
  run: (last: Load | null) => Promise<Load>,
  most = WARM_RUNS,
): Promise<Load> {
  let last = await run(null);
  for (let runs = 1; runs < most; runs += 1) {
    const next = await run(last);
    const isSteady = Math.abs(next.perSecond / last.perSecond - 1) < STEADY;
    last = next;
    if (isSteady) break;
  }
  return last;
}

/** @returns of a checkout, with `-dirty` where something was changed since */
export function commitOf(folder: string): string {
  const asked = spawnSync('git', ['describe', '--always', '--dirty'], { cwd: folder, encoding: 'utf8' });
  return asked.stdout?.trim() || 'no repository';
}

/** Headers of a merchant's request, on one connection. */
export function apiHeaders(url: string, key: string): Record<string, string> {
  return { host: new URL(url).host, authorization: `Bearer ${key}` };
}

export const portOf = (url: string): number => Number(new URL(url).port);
