import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { launchFor } from '../../src/modules/sandbox/local/postgres/postgres-binaries.js';
import { freePort } from '../../src/modules/sandbox/local/processes.js';
import { eventually } from './receiver.js';

/** Where Debian puts a server and the programs that dump it; the PostgreSQL from npm has no `pg_dump`. */
const VERSIONS = '/usr/lib/postgresql';
const PROGRAMS = ['initdb', 'postgres', 'pg_dump', 'pg_restore'];

/** The folder with a whole PostgreSQL of this machine, or `null`. */
export function installedPostgres(): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  const folders = versions.map((version) => join(VERSIONS, version, 'bin'));
  return folders.find((bin) => PROGRAMS.every((program) => existsSync(join(bin, program)))) ?? null;
}

/** A server of it, empty but for `postgres`, which whoever is on this machine may enter. */
export async function startInstalled(bin: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'rappen-installed-'));
  const launch = launchFor(folder);
  const cluster = join(folder, 'cluster');
  const port = await freePort();
  const asked = ['--username=owner', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const [initdb, args] = launch.command(join(bin, 'initdb'), ['-D', cluster, ...asked]);
  const made = spawnSync(initdb, args, { ...launch.options, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb: ${String(made.stdout)}${String(made.stderr)}`);
  const settings = ['-h', '127.0.0.1', '-k', '', '-p', String(port), '-c', 'fsync=off'];
  const [postgres, more] = launch.command(join(bin, 'postgres'), ['-D', cluster, ...settings]);
  const server = spawn(postgres, more, { ...launch.options, stdio: 'ignore' });
  const url = `postgres://owner@127.0.0.1:${port}/postgres`;
  await eventually(() => answers(url), Boolean);
  return {
    url,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
