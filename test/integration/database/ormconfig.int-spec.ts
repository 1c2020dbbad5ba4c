import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { MIGRATIONS } from '../../../src/database/migrations.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';

const ROOT = join(import.meta.dirname, '../../..');

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

/** TypeORM's own command line, in a process of its own, as `npm run typeorm` starts it. */
async function typeorm(...words: string[]): Promise<string> {
  // Words without their colours, which it writes where a CI asks for them.
  const env = { ...process.env, DATABASE_URL: database.url, NO_COLOR: '1', FORCE_COLOR: '0' };
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

/** Stands in the migrations alone, so that TypeORM would drop it. What is unique is not among it: entities say that too. */
const OF_MIGRATIONS = `
  SELECT format('ALTER TABLE "%s" DROP CONSTRAINT "%s";', conrelid::regclass, conname) AS drop
    FROM pg_constraint WHERE contype IN ('f', 'c') AND conrelid <> 0
  UNION ALL
  SELECT format('DROP INDEX "public"."%s";', indexrelid::regclass)
    FROM pg_index WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))`;

it('knows every entity, and finds that columns and what is unique are as they say', async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ drop: string }>(OF_MIGRATIONS);
  await client.end();
  const expected = new Set(rows.map((row) => row.drop));
  const logged = (await typeorm('schema:log')).split('\n').filter((line) => /^[A-Z]/.test(line));
  // The entities are there: without them nothing at all would be logged.
  expect(logged.length).toBeGreaterThan(50);
  expect(logged.filter((line) => !expected.has(line))).toEqual([]);
});

it.each(['schema:sync', 'schema:drop', 'migration:generate'])(
  'refuses %s, which would drop what no entity names',
  async (command) => {
    await expect(typeorm(command)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(command),
    });
  },
);
