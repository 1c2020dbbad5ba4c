import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MIGRATIONS } from '../../../src/database/migrations.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';

const ROOT = join(import.meta.dirname, '../../..');

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

/** TypeORM's own command line, in a process of its own, as `npm run typeorm` starts it. */
async function typeorm(...words: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: database.url };
  const args = [join(ROOT, 'scripts', 'typeorm.mjs'), ...words];
  return (await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })).stdout;
}

it('TypeORM’s own command line reads ormconfig.ts and sees every migration as done', async () => {
  const shown = await typeorm('migration:show');
  expect(shown.match(/\[X\] \d+ \S+/g)).toHaveLength(MIGRATIONS.length);
  expect(shown).not.toContain('[ ]');
});

it('takes the configuration that it is given by name too, and runs what is pending: nothing', async () => {
  expect(await typeorm('migration:run', '-d', 'ormconfig.ts')).toContain('No migrations are pending');
});
