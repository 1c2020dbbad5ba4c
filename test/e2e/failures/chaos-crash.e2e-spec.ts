import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../src/database/migrate.js';
import { CrashingPostgres, surviveCrashes } from '../../chaos/crash.js';
import { World } from '../../chaos/world.js';

// `npm run chaos -- crash` does it twenty times. Needs a build.
jest.setTimeout(900_000);

const dataDir = mkdtempSync(join(tmpdir(), 'rappen-crash-'));
let postgres: CrashingPostgres;
let world: World;

beforeAll(async () => {
  postgres = await CrashingPostgres.start(dataDir);
  await migrate(postgres.url);
  world = await World.create({ databaseUrl: postgres.url });
});
afterAll(async () => {
  // Whatever the start did not reach is not there; what it left running would hold the worker open.
  await world?.stop();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('keeps every acknowledged write, sends every event and recovers by itself when PostgreSQL crashes under load', async () => {
  const { acknowledged, statuses } = await surviveCrashes(world, postgres, 2);
  expect(acknowledged).toBeGreaterThan(0);
  expect(Object.keys(statuses).filter((status) => !['200', '201', '503'].includes(status))).toEqual([]);
});
