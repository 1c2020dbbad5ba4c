import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Whether processes can be given a core: Linux with `taskset` and more than one. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** The command, run on one core where the system can. */
export function onCore(core: number | undefined, command: readonly string[]): string[] {
  return core === undefined || !canPin ? [...command] : ['taskset', '-c', String(core), ...command];
}

/** Moves a process with all its threads, and all children that it will have, to a core. */
export function moveToCore(core: number, pid: number): void {
  if (canPin) spawnSync('taskset', ['-a', '-p', '-c', String(core), String(pid)]);
}
