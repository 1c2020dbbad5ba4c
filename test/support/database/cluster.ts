import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../src/database/migrate.js';
import { startPostgres } from '../../../src/modules/sandbox/local/postgres/postgres.js';
import { administer, urlOf } from './administer.js';

/**
 * Starts the PostgreSQL of a test run (or takes TEST_DATABASE_URL), makes the migrated template that
 * `createTestDatabase` copies, and tells the workers where both are. Returns how to stop.
 * @param outlivesPower whether what is committed waits for the disk. No test pulls the plug of the machine, and a commit
 *   that waits for the disk takes longer than most of what tests do; what is measured has to wait.
 */
export async function startCluster(outlivesPower: boolean): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const cluster =
    given === undefined ? await startThrowaway(outlivesPower) : { url: given, stop: () => Promise.resolve() };
  // Named after the process, because a given server may serve another run at the same time.
  const template = `rappen_template_${process.pid}`;
  process.env.RAPPEN_TEST_ADMIN_URL = cluster.url;
  process.env.RAPPEN_TEST_TEMPLATE = template;
  const stop = async (): Promise<void> => {
    if (given !== undefined) await administer(given, [`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`]);
    await cluster.stop();
  };
  try {
    await createTemplate(cluster.url, template);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function createTemplate(adminUrl: string, template: string): Promise<void> {
  await administer(adminUrl, [
    `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`,
    `CREATE DATABASE ${template}`,
  ]);
  await migrate(urlOf(adminUrl, template));
  // A single connection to the template would make every copy of it fail.
  await administer(adminUrl, [`ALTER DATABASE ${template} WITH ALLOW_CONNECTIONS false`]);
}

async function startThrowaway(outlivesPower: boolean): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(outlivesPower ? tmpdir() : quickFolder(), `rappen-test-${process.pid}-`));
  const { url, stop } = await startPostgres({ dataDir });
  if (!outlivesPower) {
    const settings = ['fsync', 'full_page_writes'].map((name) => `ALTER SYSTEM SET ${name} = off`);
    await administer(url, [...settings, 'SELECT pg_reload_conf()']);
  }
  return {
    url,
    async stop() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const IN_MEMORY = '/dev/shm';
/** Several times what a run has written at once. A container's own is often of 64 MB. */
const ROOM_BYTES = 4 * 2 ** 30;

/** In memory where there is room: each suite's database is a thousand files, and a disk's file system keeps a journal of them. */
function quickFolder(): string {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    removeLeftovers();
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const roomBytes = Math.min(bavail * bsize, process.availableMemory());
    return roomBytes >= ROOM_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** What a killed run left would take memory until the machine is started again. */
function removeLeftovers(): void {
  for (const name of readdirSync(IN_MEMORY)) {
    const pid = Number(/^rappen-test-(\d+)-/.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) rmSync(join(IN_MEMORY, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
