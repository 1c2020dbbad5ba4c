import type { ChildProcess } from 'node:child_process';
import { hasEnded } from './processes.js';

const children = new Set<ChildProcess>();

/**
 * Takes a server along however this process ends: they run in sessions of their own, so that nobody else would. Only
 * a kill -9 leaves them, to the next start. Orderly stops come first; then there is nobody left to take along.
 */
export function takeAlong(child: ChildProcess): void {
  if (children.size === 0) process.on('exit', killAll);
  children.add(child);
  child.once('exit', () => forget(child));
  child.once('error', () => forget(child));
}

function forget(child: ChildProcess): void {
  children.delete(child);
  if (children.size === 0) process.off('exit', killAll);
}

/** At once, because nothing is awaited any more. Databases and chains recover, as after a power failure. */
function killAll(): void {
  for (const child of children) if (!hasEnded(child)) child.kill('SIGKILL');
}
