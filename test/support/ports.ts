import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range from which the system takes the ports of outgoing connections (32768 and up on Linux). */
const FIRST = 20_000;
const LAST = 31_999;

/**
 * A port that is free and stays so until we take it, even over a restart: no connection of another test is given it
 * in the meantime.
 */
export async function stablePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
