import { existsSync, readFileSync } from 'node:fs';
import type { Pool } from 'pg';
import { METRICS_TOKEN } from './stage.js';

/** What a service tells of its process. */
export interface Runtime {
  /** How long the event loop kept a timer waiting since it was asked last; a resting loop has 10 to 11 ms. */
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Since the start of the process, on whatever else the machine is busy with. */
  readonly cpuMs: number;
  readonly residentBytes: number;
}

export async function runtime(url: string): Promise<Runtime> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const text = await answer.text();
  const value = (name: string) => {
    const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text);
    if (!found) throw new Error(`/metrics answers ${answer.status} and does not have ${name}`);
    return Number(found[1]);
  };
  return {
    p99Ms: value('nodejs_eventloop_lag_p99_seconds') * 1_000,
    maxMs: value('nodejs_eventloop_lag_max_seconds') * 1_000,
    cpuMs: value('process_cpu_seconds_total') * 1_000,
    residentBytes: value('process_resident_memory_bytes'),
  };
}

/** Of `/proc`: a hundred a second, on every Linux. */
const MS_OF_A_TICK = 10;

/**
 * What a database's server has had of the processor since its start, its sessions included, those too that have ended. `null` where its
 * processes cannot be seen: on another machine, or another system than Linux.
 */
export async function serverCpuMs(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const parent = ticksOf(rows[0]!.pid)?.parent;
  return parent === undefined || !existsSync(childrenFile(parent))
    ? null
    : withChildren(parent) * MS_OF_A_TICK;
}

/** In ticks. One that ends while it is read is among the children or among those that have ended, and never in both or neither. */
function withChildren(pid: number): number {
  for (;;) {
    const before = ticksOf(pid);
    const children = childrenOf(pid).flatMap((child) => ticksOf(child) ?? []);
    const after = ticksOf(pid);
    if (!before || !after) throw new Error(`process ${pid} has ended`);
    if (before.ended === after.ended)
      return children.reduce((sum, each) => sum + each.itself, after.itself + after.ended);
  }
}

/** Those too that have ended and that nobody has waited for. */
function childrenOf(pid: number): number[] {
  return readFileSync(childrenFile(pid), 'latin1').split(' ').filter(Boolean).map(Number);
}

const childrenFile = (pid: number) => `/proc/${pid}/task/${pid}/children`;

function ticksOf(pid: number): { parent: number; itself: number; ended: number } | null {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return null;
  const line = readFileSync(file, 'latin1');
  // Behind the name, in which there may be anything: state, parent, and further on user, system, and both of those waited for.
  const [, parent, ...rest] = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user, system, userOfEnded, systemOfEnded] = rest.slice(9);
  return { parent: parent!, itself: user! + system!, ended: userOfEnded! + systemOfEnded! };
}
