import { Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Interval, SchedulerRegistry } from '@nestjs/schedule';
import { currentTraceId, withTrace } from '../observability/trace.js';
import { Jobs } from './jobs.js';
import { JobsModule } from './jobs.module.js';
import { ScheduledJob } from './scheduled-job.js';

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

class Turns {
  readonly done: string[] = [];

  @ScheduledJob('first', 60_000)
  first(): Promise<void> {
    return Promise.resolve(void this.done.push('first'));
  }
}

class MoreTurns extends Turns {
  @ScheduledJob('second', 60_000)
  second(signal: AbortSignal): Promise<void> {
    return Promise.resolve(void this.done.push(`second, ${signal.aborted ? 'stopped' : 'goes on'}`));
  }

  neither(): void {
    this.done.push('neither');
  }
}

it('runs the methods that say so, of a parent too: not before the start, then at once and when they are woken', async () => {
  const turns = new MoreTurns();
  jobs.adopt(turns);
  jobs.wake('first');
  await settle();
  expect(turns.done).toEqual([]);
  jobs.start();
  await settle();
  expect(turns.done.sort()).toEqual(['first', 'second, goes on']);
  jobs.wake('first');
  await settle();
  expect(turns.done).toEqual(['first', 'second, goes on', 'first']);
});

it('knows no job that nobody has defined, and none twice', () => {
  jobs.adopt(new Turns());
  expect(() => jobs.adopt(new Turns())).toThrow('job first is defined twice');
  jobs.start();
  expect(() => jobs.wake('frist')).toThrow('there is no job frist');
});

class OtherTurns extends Turns {
  @Interval(5)
  third(): Promise<void> {
    return Promise.resolve(void this.done.push('third'));
  }
}

@Module({ imports: [JobsModule], providers: [OtherTurns] })
class Application {}

it('has the timers of `Jobs` and none of the library’s own, whose decorator makes a job like ours', async () => {
  const application = await NestFactory.createApplicationContext(Application, { logger: false });
  try {
    const [registry, found] = [application.get(SchedulerRegistry), application.get(OtherTurns)];
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([registry.getIntervals(), found.done]).toEqual([[], []]);
    application.get(Jobs).start();
    await settle();
    expect(registry.getIntervals().sort()).toEqual(['first', 'third']);
    // Again after each 5 ms, which pass at any time on a busy machine.
    expect([...new Set(found.done)].sort()).toEqual(['first', 'third']);
  } finally {
    await application.close();
  }
});
