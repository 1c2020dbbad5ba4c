import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { takeAlong } from '../children.js';
import { takeOwnership } from '../ownership.js';
import { fingerprint, freePort, hasEnded, stopChild, type Stopping, stopProcess } from '../processes.js';
import { type Launch, launchFor, postgresBinaries } from './postgres-binaries.js';

const DATABASE = 'rappen';
const USER = 'rappen';
// SIGINT closes connections and leaves a clean data folder; SIGQUIT leaves one that recovers at the next start.
const STOPPING: Stopping = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
// Backends of a postmaster that was killed hold its lock file for a moment longer.
const RETRY_MS = 5_000;
const READY_MS = 60_000;

export type PostgresOptions = {
  /** Everything lies in here: cluster, password, log. Made when missing; kept when stopped. */
  dataDir: string;
  port?: number;
};

export type LocalPostgres = { url: string; stop: () => Promise<void> };

type Layout = { cluster: string; password: string; log: string; owner: string };

/** Starts the PostgreSQL from npm on 127.0.0.1; a server that a killed process left in `dataDir` is stopped first. */
export async function startPostgres(options: PostgresOptions): Promise<LocalPostgres> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const layout: Layout = {
    cluster: join(dataDir, 'cluster'),
    password: join(dataDir, 'password'),
    log: join(dataDir, 'log'),
    owner: join(dataDir, 'owner.json'),
  };
  takeOwnership(layout.owner, `The database in ${dataDir}`);
  const bin = postgresBinaries();
  const leftover = postmasterOf(layout);
  if (leftover !== undefined) await stopProcess(leftover, STOPPING);
  if (!existsSync(layout.cluster)) initialise(bin, layout, dataDir);
  const { stop, url } = await startServer(bin, layout, launchFor(dataDir), options.port);
  await createDatabase(url('postgres'));
  return { url: url(DATABASE), stop };
}

/** The live postmaster of this cluster, by its own pid file; another program may have got its number since. */
function postmasterOf({ cluster }: Layout): number | undefined {
  const file = join(cluster, 'postmaster.pid');
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
  return pid > 0 && fingerprint(pid)?.includes(cluster) ? pid : undefined;
}

function initialise(bin: string, layout: Layout, dataDir: string): void {
  // Made beside its place and moved there when complete: a killed initdb leaves nothing that looks like a cluster.
  const fresh = `${layout.cluster}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(layout.password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  const launch = launchFor(dataDir);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const auth = [`--username=${USER}`, '--auth=scram-sha-256', `--pwfile=${layout.password}`];
  const [command, args] = launch.command(join(bin, 'initdb'), ['-D', fresh, ...auth, ...locale]);
  const { status, error, stdout, stderr } = spawnSync(command, args, { ...launch.options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? ''}\n${stdout}${stderr}`);
  renameSync(fresh, layout.cluster);
}

type Server = { stop: () => Promise<void>; url: (database: string) => string };

async function startServer(bin: string, layout: Layout, launch: Launch, port?: number): Promise<Server> {
  const password = readFileSync(layout.password, 'utf8');
  const deadline = Date.now() + RETRY_MS;
  for (;;) {
    const chosen = port ?? (await freePort());
    const url = (database: string): string =>
      `postgresql://${USER}:${password}@127.0.0.1:${chosen}/${database}`;
    const server = spawnServer(bin, layout, launch, chosen);
    const problem = await waitForServer(server, url('postgres'));
    if (problem === undefined) return { url, stop: () => stopChild(server, STOPPING) };
    await stopChild(server, STOPPING);
    const log = existsSync(layout.log) ? readFileSync(layout.log, 'utf8') : '';
    const passing = /lock file .* already exists|shared memory block .* still in use/.test(log);
    const raced = port === undefined && /could not bind|could not create any TCP\/IP sockets/.test(log);
    if (!(passing || raced) || Date.now() > deadline) {
      throw new Error(
        `PostgreSQL did not start: ${problem}. Last lines of ${layout.log}:\n${log.slice(-2_000)}`,
      );
    }
    await sleep(250);
  }
}

function spawnServer(bin: string, layout: Layout, launch: Launch, port: number): ChildProcess {
  if (existsSync(layout.log)) renameSync(layout.log, `${layout.log}.previous`);
  const log = openSync(layout.log, 'w', 0o600);
  const settings = ['-h', '127.0.0.1', '-k', '', '-p', String(port), '-c', 'max_connections=200'];
  const [command, args] = launch.command(join(bin, 'postgres'), ['-D', layout.cluster, ...settings]);
  // In a session of its own: a Ctrl-C in the terminal must reach the application first, which still needs its database.
  const server = spawn(command, args, { ...launch.options, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  server.unref();
  takeAlong(server);
  return server;
}

/** Undefined once it answers, else what went wrong. */
async function waitForServer(server: ChildProcess, url: string): Promise<string | undefined> {
  let spawnError: Error | undefined;
  server.once('error', (error) => (spawnError = error));
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline) {
    if (spawnError) return spawnError.message;
    if (hasEnded(server)) {
      return `it ended with ${server.signalCode ?? `status ${server.exitCode}`}`;
    }
    if (await answers(url)) return undefined;
    await sleep(20);
  }
  return `no answer within ${READY_MS / 1000} s`;
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}
