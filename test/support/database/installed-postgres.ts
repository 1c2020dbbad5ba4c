import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { installedPostgres } from '../../../scripts/ensure/postgres.mjs';
import { takeAlong } from '../../../src/modules/sandbox/local/children.js';
import { launchFor } from '../../../src/modules/sandbox/local/postgres/postgres-binaries.js';
import { hasEnded } from '../../../src/modules/sandbox/local/processes.js';
import type { Tool } from '../run/tools.js';
import { stablePort } from '../servers/ports.js';
import { eventually } from '../servers/receiver.js';

const STARTED_WITHIN_MS = 120_000;

/** @param untested what needs one */
export const postgresTool = (untested: string): Tool => ({
  isFound: installedPostgres() !== null,
  missing: `No PostgreSQL 15 or newer of Debian's on this machine: ${untested} NOT tested.`,
});

/** The folder with its programs. @throws Error where there is none */
export function postgresPrograms(): string {
  const bin = installedPostgres();
  if (bin === null) throw new Error('This needs a PostgreSQL server from Debian: apt-get install postgresql');
  return bin;
}

/** Runs one of its programs to its end, as somebody whom it accepts. `folder` is what the program writes to. */
export function runInstalled(bin: string, folder: string, program: string, ...args: string[]): void {
  const launch = launchFor(folder);
  const [command, all] = launch.command(join(bin, program), args);
  const { status, stdout, stderr } = spawnSync(command, all, { ...launch.options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${String(stdout)}${String(stderr)}`);
}

/** An empty cluster in `folder`, which whoever is on this machine may enter as `owner`. */
export function makeCluster(bin: string, folder: string): void {
  const asked = ['--username=owner', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  runInstalled(bin, folder, 'initdb', '-D', join(folder, 'cluster'), ...asked);
}

export interface InstalledServer {
  readonly port: number;
  readonly url: string;
  /** To all of its processes. Resolves when the server has ended, or at once for a signal that lets it stand still. */
  signal: (signal: NodeJS.Signals) => Promise<void>;
}

/** Serves the cluster in `folder`. @param settings as `name=value` */
export async function serveCluster(
  bin: string,
  folder: string,
  settings: readonly string[],
): Promise<InstalledServer> {
  const port = await stablePort();
  const launch = launchFor(folder);
  const all = ['-h', '127.0.0.1', '-k', '', '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
  const [command, args] = launch.command(join(bin, 'postgres'), ['-D', join(folder, 'cluster'), ...all]);
  const server = spawn(command, args, { ...launch.options, stdio: 'ignore' });
  takeAlong(server);
  const url = `postgres://owner@127.0.0.1:${port}/postgres`;
  await eventually(() => answers(url), Boolean, STARTED_WITHIN_MS);
  return {
    port,
    url,
    async signal(signal) {
      const ended = hasEnded(server) ? Promise.resolve() : once(server, 'exit');
      // A machine that stands still or loses its power does so to every process; else the server tells its own.
      const all = signal === 'SIGSTOP' || signal === 'SIGKILL' ? childrenOf(server.pid!) : [];
      server.kill(signal);
      for (const pid of all) process.kill(pid, signal);
      if (signal !== 'SIGSTOP') await ended;
    },
  };
}

/** A server with an empty cluster of its own, which is gone when it stops. */
export async function startInstalled(bin: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'rappen-installed-'));
  makeCluster(bin, folder);
  const { url, signal } = await serveCluster(bin, folder, ['fsync=off']);
  return {
    url,
    async stop() {
      await signal('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL gives each of its processes a session of its own, so that no signal to a group reaches them. */
function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number);
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
