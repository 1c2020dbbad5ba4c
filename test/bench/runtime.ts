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
