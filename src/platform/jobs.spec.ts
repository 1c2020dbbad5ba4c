import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Jobs } from './jobs.js';
import { currentTraceId, withTrace } from './observability/trace.js';

let lines: string[];
let jobs: Jobs;

beforeEach(() => {
  lines = [];
  const write = (fields: unknown, message: unknown) =>
    void lines.push(`${(fields as { job: string }).job}: ${String(message)}`);
  Logger.overrideLogger({ log: write, warn: write, error: write });
  jobs = new Jobs(new SchedulerRegistry());
});

afterEach(async () => {
  await jobs.onModuleDestroy();
  Logger.overrideLogger(false);
});

/** Lets everything run that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('logs the first failure of a streak and its end, for each job', async () => {
  let down = true;
  const run = () => (down ? Promise.reject(new Error('connect ECONNREFUSED')) : Promise.resolve());
  const defined = ['a', 'b'].map((name) => jobs.define({ name, everyMs: 60_000, run }));
  const turn = async () => {
    for (const job of defined) job.wake();
    await settle();
  };
  jobs.start();
  for (let i = 0; i < 3; i++) await turn();
  expect(lines).toEqual(['a: job failed', 'b: job failed']);
  down = false;
  for (let i = 0; i < 3; i++) await turn();
  expect(lines.slice(2)).toEqual(['a: job works again', 'b: job works again']);
  down = true;
  await turn();
  expect(lines.slice(4)).toEqual(['a: job failed', 'b: job failed']);
});

it('runs outside the trace of the request that wakes it', async () => {
  const traces: unknown[] = [];
  const run = () => Promise.resolve(void traces.push(currentTraceId()));
  const job = jobs.define({ name: 'a', everyMs: 60_000, run });
  withTrace('of a request', () => jobs.start());
  await settle();
  const kept = withTrace('of a request', () => {
    job.wake();
    return currentTraceId();
  });
  await settle();
  expect([kept, traces]).toEqual(['of a request', [undefined, undefined]]);
});
