import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What tells this process from a later one with the same number: its start time and command line.
 * Undefined when no such process runs. A zombie does not run: nobody may be left to reap it.
 */
export function fingerprint(pid: number): string | undefined {
  try {
    return existsSync('/proc/self/stat') ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
}

function fromProc(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in brackets and may hold spaces, so count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  return `${fields[19]} ${command}`;
}

function fromPs(pid: number): string | undefined {
  const line = execFileSync('ps', ['-o', 'stat=,lstart=,command=', '-p', String(pid)], {
    encoding: 'utf8',
  }).trim();
  if (line === '' || line.startsWith('Z')) return undefined;
  // The state letters change while it runs; the rest does not.
  return line.replace(/^\S+\s+/, '');
}

export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

export type Stopping = readonly { signal: NodeJS.Signals; waitMs: number }[];

/** Sends the signals one after another until the process is gone; does nothing when it is gone already. */
export async function stopProcess(pid: number, stopping: Stopping): Promise<void> {
  const identity = fingerprint(pid);
  const gone = (): boolean => fingerprint(pid) !== identity;
  if (identity === undefined) return;
  for (const { signal, waitMs } of stopping) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended between the look and the signal.
    }
    if (await waitUntil(gone, waitMs)) return;
  }
  throw new Error(`Process ${pid} does not stop: ${identity}`);
}

export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

/** As `stopProcess`, but safe long after the child has ended, when its number may be another's. */
export async function stopChild(child: ChildProcess, stopping: Stopping): Promise<void> {
  if (child.pid !== undefined && !hasEnded(child)) await stopProcess(child.pid, stopping);
}

/** A port nobody listens on at this moment; another process may take it before you do, so be ready to retry. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
