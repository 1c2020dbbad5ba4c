import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Below the range from which the system takes the ports of outgoing connections (32768 and up on Linux). */
const FIRST = 20_000;
const LAST = 31_999;
/**
 * A file for each port that a test of ours has, with its process: whose service is down for a moment keeps it. Each user of
 * the machine has a folder: nobody can write to another's.
 */
const TAKEN = join(tmpdir(), `rappen-test-ports-${userInfo().uid}`);

/**
 * A port that is free and stays so until we take it, even over a restart: no connection and no service of another test
 * is given it in the meantime.
 */
export async function stablePort(): Promise<number> {
  mkdirSync(TAKEN, { recursive: true });
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (takes(TAKEN, port) && (await isFree(port))) return port;
  }
}

/** @returns whether it is ours now: another test may have it @throws Error where the folder cannot be written to */
export function takes(folder: string, port: number): boolean {
  const file = join(folder, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (!isRunning(file)) rmSync(file, { force: true });
    return false;
  }
}

/** Whether the process is there that wrote the file: also one that we may not signal. */
function isRunning(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
