import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { createApp } from '../../../src/app.setup.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { Jobs } from '../../../src/platform/jobs/jobs.js';
import { jobsOf } from '../../../src/platform/jobs/scheduled-job.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';

const ROOT = join(import.meta.dirname, '../../..');

/** Each file of the service with `@ScheduledJob` in it, and how often it is there. */
const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .map((file) => ({
    file,
    times: [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^ +@ScheduledJob\(/gm)].length,
  }))
  .filter(({ times }) => times > 0);

/** The names of the jobs that the classes of a file declare. */
async function declaredIn(file: string): Promise<string[]> {
  const exported = (await import(`../../../${file.replace(/\.ts$/, '.js')}`)) as Record<string, unknown>;
  const classes = Object.values(exported).filter((one) => typeof one === 'function');
  return classes.flatMap((one) => {
    const prototype = one.prototype as object | undefined;
    return prototype ? jobsOf(Object.create(prototype) as object).map(({ name }) => name) : [];
  });
}

let defined: readonly string[];
let database: TestDatabase;
let app: INestApplication;

/** As in production, where prices are asked for too; nothing is started. */
beforeAll(async () => {
  const define = jest.spyOn(Jobs.prototype, 'define');
  database = await createTestDatabase();
  const config = loadConfig({
    NODE_ENV: 'production',
    BASE_URL: 'https://api.example.com',
    CHECKOUT_URL: 'https://pay.example.com',
    DATABASE_URL: database.url,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ETHEREUM_RPC_URL: 'https://node.example.com/key',
    LOG_LEVEL: 'silent',
  });
  app = await createApp(config);
  await app.init();
  defined = define.mock.calls.map(([{ name }]) => name);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

it('finds the jobs', () => {
  expect(SOURCES.length).toBeGreaterThan(15);
});

it.each(SOURCES)(
  'the service runs every job of $file: a module provides its class',
  async ({ file, times }) => {
    const declared = await declaredIn(file);
    expect(declared).toHaveLength(times);
    expect(defined).toEqual(expect.arrayContaining(declared));
  },
);
