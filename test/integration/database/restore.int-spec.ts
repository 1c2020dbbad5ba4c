import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../../src/database/migrate.js';
import { administer, urlOf } from '../../support/database/administer.js';
import { postgresPrograms, postgresTool, startInstalled } from '../../support/database/installed-postgres.js';
import { itWith } from '../../support/run/tools.js';

const ROLE = 'rappen_app';

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(join(postgresPrograms(), program), args, { encoding: 'utf8' });
  expect([program, status, stderr]).toEqual([program, 0, '']);
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** docs/operations.md, "Backup and restore", as it is written there. */
itWith(postgresTool('a restore is'))(
  'restores a dump without owners and privileges, and gives the application’s role its rights again',
  async () => {
    const server = await startInstalled(postgresPrograms());
    const folder = mkdtempSync(join(tmpdir(), 'rappen-dump-'));
    try {
      await administer(server.url, [
        `CREATE ROLE ${ROLE} LOGIN`,
        'CREATE DATABASE before',
        'CREATE DATABASE after',
      ]);
      const [before, after] = [urlOf(server.url, 'before'), urlOf(server.url, 'after')];
      const asRole = after.replace('owner@', `${ROLE}@`);
      await migrate(before, ROLE);
      await administer(before, [
        `INSERT INTO merchant (id, name, status) VALUES ('mer_of_before', 'Shop', 'approved')`,
      ]);
      const dump = join(folder, 'rappen.dump');
      run('pg_dump', '--format=custom', '--no-owner', '--no-privileges', `--file=${dump}`, before);
      run('pg_restore', '--no-owner', '--no-privileges', '--exit-on-error', `--dbname=${after}`, dump);
      await expect(ask(asRole, 'SELECT id FROM merchant')).rejects.toThrow('permission denied');
      expect(await migrate(after, ROLE)).toEqual([]);
      expect(await ask(asRole, 'SELECT id FROM merchant')).toEqual([{ id: 'mer_of_before' }]);
      await expect(ask(asRole, 'DELETE FROM event')).rejects.toThrow('permission denied');
      const mayCount = `SELECT has_function_privilege('count_on_days()', 'EXECUTE') AS may`;
      expect(await ask(asRole, mayCount)).toEqual([{ may: false }]);
    } finally {
      rmSync(folder, { recursive: true });
      await server.stop();
    }
  },
);
