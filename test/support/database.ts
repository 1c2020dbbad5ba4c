import { randomBytes } from 'node:crypto';
import { administer, urlOf } from './administer.js';

export type TestDatabase = { url: string; drop: () => Promise<void> };

/** A migrated, empty database of its own for one spec: a copy of the template, which takes some 30 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { RAPPEN_TEST_ADMIN_URL: adminUrl, RAPPEN_TEST_TEMPLATE: template } = process.env;
  if (adminUrl === undefined || template === undefined) {
    throw new Error('Databases exist in the projects "integration" and "e2e" only (see jest.config.mjs).');
  }
  const name = `rappen_test_${randomBytes(8).toString('hex')}`;
  await administer(adminUrl, [`CREATE DATABASE ${name} TEMPLATE ${template}`]);
  return {
    url: urlOf(adminUrl, name),
    // FORCE, so that a connection which a failed test left open does not hide that failure behind another.
    drop: () => administer(adminUrl, [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`]),
  };
}
