import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { applicationRole } from '../../../src/modules/sandbox/local/postgres/application-role.js';
import { startPostgres } from '../../../src/modules/sandbox/local/postgres/postgres.js';
import { fingerprint, waitUntil } from '../../../src/modules/sandbox/local/processes.js';

const root = join(import.meta.dirname, '../../..');

async function query<T>(url: string, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

const postmaster = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** Runs a program that starts the server and then dies as by kill -9; returns the server's url. */
function startAndDie(dataDir: string): string {
  const script = `
    import { register } from 'node:module';
    register('./test/support/run/typescript-loader.mjs', 'file://${root}/');
    const { startPostgres } = await import('./src/modules/sandbox/local/postgres/postgres.js');
    const { url } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    (await import('node:fs')).writeSync(1, url);
    process.kill(process.pid, 'SIGKILL');`;
  const result = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(result.stderr).toBe('');
  expect(result.signal).toBe('SIGKILL');
  return result.stdout;
}

describe('startPostgres', () => {
  let parent: string;
  let dataDir: string;

  beforeEach(() => {
    // A folder that only we may enter, with a space in its name.
    parent = mkdtempSync(join(tmpdir(), 'rappen pg-'));
    dataDir = join(parent, 'data');
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it('has a role for the service that makes no temporary tables, which would hide others', async () => {
    const { url, stop } = await startPostgres({ dataDir });
    const { url: asRole } = await applicationRole(url);
    await expect(query(asRole, 'CREATE TEMP TABLE hiding ()')).rejects.toMatchObject({ code: '42501' });
    expect(await query(url, 'CREATE TEMP TABLE hiding ()')).toEqual([]);
    await stop();
  });

  it('keeps data and password from one start to the next', async () => {
    const first = await startPostgres({ dataDir });
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
    await first.stop();
    const second = await startPostgres({ dataDir });
    expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
    expect(statSync(join(dataDir, 'password')).mode & 0o777).toBe(0o600);
    await second.stop();
  });

  it('asks for the password', async () => {
    const { url, stop } = await startPostgres({ dataDir });
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    await stop();
  });

  it('takes over from a server whose parent was killed, without losing a row', async () => {
    const url = startAndDie(dataDir);
    const orphan = postmaster(dataDir);
    await query(url, 'CREATE TABLE kept AS SELECT 7 AS n');
    const { url: next, stop } = await startPostgres({ dataDir });
    expect(fingerprint(orphan)).toBeUndefined();
    expect(await query(next, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    await stop();
  });

  it('starts right after its postmaster was killed while backends still ran', async () => {
    const url = startAndDie(dataDir);
    await query(url, 'CREATE TABLE kept AS SELECT 7 AS n');
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    process.kill(postmaster(dataDir), 'SIGKILL');
    const { url: next, stop } = await startPostgres({ dataDir });
    expect(await query(next, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    await stop();
  });

  it('starts over when initdb was interrupted', async () => {
    mkdirSync(join(dataDir, 'cluster.new'), { recursive: true });
    writeFileSync(join(dataDir, 'cluster.new', 'PG_VERSION'), '18');
    const { url, stop } = await startPostgres({ dataDir });
    expect(await query(url, 'SELECT current_database() AS name')).toEqual([{ name: 'rappen' }]);
    await stop();
  });

  it('is in a session of its own, so that Ctrl-C reaches the application first', async () => {
    const { stop } = await startPostgres({ dataDir });
    const pid = postmaster(dataDir);
    const session = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3]);
    expect(session).toBe(pid);
    await stop();
    expect(await waitUntil(() => fingerprint(pid) === undefined, 20_000)).toBe(true);
  });

  it('refuses a folder whose owner is alive', async () => {
    mkdirSync(dataDir);
    const owner = { pid: process.ppid, fingerprint: fingerprint(process.ppid) };
    writeFileSync(join(dataDir, 'owner.json'), JSON.stringify(owner));
    await expect(startPostgres({ dataDir })).rejects.toThrow(`in use by process ${process.ppid}`);
  });

  it('shows the end of the log when it cannot start', async () => {
    await (await startPostgres({ dataDir })).stop();
    writeFileSync(join(dataDir, 'cluster', 'postgresql.auto.conf'), 'no_such_setting = 1\n');
    await expect(startPostgres({ dataDir })).rejects.toThrow('no_such_setting');
  });
});

// Named here because the launcher must not need anything but the package: no user is made, nothing is chowned.
it('leaves the files to whoever runs it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'rappen-pg-'));
  await (await startPostgres({ dataDir })).stop();
  expect(execFileSync('find', [dataDir, '!', '-uid', String(process.getuid?.())], { encoding: 'utf8' })).toBe(
    '',
  );
  rmSync(dataDir, { recursive: true });
});
