import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { administer, urlOf } from './administer.js';

export type TestDatabase = { url: string; drop: () => Promise<void> };

/** A migrated, empty database of its own for one spec: a copy of the template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { RAPPEN_TEST_TEMPLATE: template } = process.env;
  return create(template);
}

/** The same as another built checkout of the project would make it: an older one is compared with this one. */
export async function createDatabaseOf(checkout: string): Promise<TestDatabase> {
  const database = await create('template0');
  const script = `import { migrate } from ${JSON.stringify(join(checkout, 'dist/database/migrate.js'))};
    await migrate(${JSON.stringify(database.url)});`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: checkout });
  return database;
}

async function create(template: string | undefined): Promise<TestDatabase> {
  const { RAPPEN_TEST_ADMIN_URL: adminUrl } = process.env;
  if (adminUrl === undefined || template === undefined) {
    throw new Error('Databases exist in the projects "integration" and "e2e" only (see jest.config.mjs).');
  }
  const name = `rappen_test_${randomBytes(8).toString('hex')}`;
  // As files: the other strategy takes each page through memory and the log, which is four times the processor time.
  await administer(adminUrl, [`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`]);
  return {
    url: urlOf(adminUrl, name),
    // FORCE, so that a connection which a failed test left open does not hide that failure behind another.
    drop: () => administer(adminUrl, [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`]),
  };
}
