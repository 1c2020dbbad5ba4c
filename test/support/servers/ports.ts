import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below the range from which the system takes the ports of outgoing connections (32768 and up on Linux). */
const FIRST = 20_000;
const LAST = 31_999;
/** A file for each port that a test of this machine has, with its process: whose service is down for a moment keeps it. */
const TAKEN = join(tmpdir(), 'rappen-test-ports');

/**
 * A port that is free and stays so until we take it, even over a restart: no connection and no service of another test
 * is given it in the meantime.
 */
export async function stablePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (isOurs(port) && (await isFree(port))) return port;
  }
}

function isOurs(port: number): boolean {
  const file = join(TAKEN, String(port));
  mkdirSync(TAKEN, { recursive: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (!isRunning(file)) rmSync(file, { force: true });
    return false;
  }
}

/** Whether the process is there that wrote the file. */
function isRunning(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
