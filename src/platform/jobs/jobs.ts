import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { outsideTrace } from '../observability/trace.js';
import { type JobDefinition, jobsOf } from './scheduled-job.js';

export interface Job {
  /** Something to do has just appeared in this process. Safe to call at any time and any rate. */
  wake(): void;
}

/**
 * Background work of one process. `@nestjs/schedule`'s own intervals overlap themselves and are not awaited at
 * shutdown; here a job never runs twice at once, a failure is tried again at the next turn and logged once
 * for a streak of them, and shutdown waits for the run that is under way. Nothing runs before `start`, so that a command line may use the
 * same modules without becoming a worker.
 */
@Injectable()
export class Jobs implements OnModuleDestroy {
  private readonly logger = new Logger(Jobs.name);
  private readonly loops = new Map<string, Loop>();
  private started = false;

  constructor(private readonly scheduler: SchedulerRegistry) {}

  /** For jobs that are many by configuration; any other is a method that says `@ScheduledJob`. */
  define(definition: JobDefinition): Job {
    if (this.loops.has(definition.name)) throw new Error(`job ${definition.name} is defined twice`);
    const loop = new Loop(definition, this.logger);
    this.loops.set(definition.name, loop);
    if (this.started) this.schedule(definition, loop);
    return loop;
  }

  /** Every `@ScheduledJob` of an object. */
  adopt(instance: object): void {
    for (const job of jobsOf(instance)) this.define(job);
  }

  /**
   * Something for this job to do has just appeared in this process. Safe to call at any time and any rate; before
   * `start` it does nothing, because then every job begins.
   */
  wake(name: string): void {
    if (!this.started) return;
    const loop = this.loops.get(name);
    if (!loop) throw new Error(`there is no job ${name}`);
    loop.wake();
  }

  start(): void {
    if (this.started) return;
    this.started = true;
    for (const loop of this.loops.values()) this.schedule(loop.definition, loop);
  }

  /** Before the dispatcher is drained and the servers close: what a last run commits is still sent. */
  async onModuleDestroy(): Promise<void> {
    for (const loop of this.loops.values()) loop.stop();
    for (const name of this.scheduler.getIntervals()) this.scheduler.deleteInterval(name);
    await Promise.all([...this.loops.values()].map((loop) => loop.idle()));
  }

  private schedule(definition: JobDefinition, loop: Loop): void {
    loop.enable();
    this.scheduler.addInterval(
      definition.name,
      setInterval(() => loop.wake(), definition.everyMs),
    );
    loop.wake();
  }
}

class Loop implements Job {
  private running: Promise<void> | null = null;
  private wanted = false;
  private enabled = false;
  private failures = 0;
  /** Each job's own, so that many jobs that wait for it at once are not taken for a leak of one. */
  private readonly stopping = new AbortController();
  private readonly signal = this.stopping.signal;

  constructor(
    readonly definition: JobDefinition,
    private readonly logger: Logger,
  ) {}

  enable(): void {
    this.enabled = true;
  }

  wake(): void {
    this.wanted = true;
    if (!this.enabled || this.running || this.signal.aborted) return;
    // Whoever wakes us may be a request; the run serves everybody.
    this.running = outsideTrace(() => this.drain()).finally(() => {
      this.running = null;
    });
  }

  stop(): void {
    this.stopping.abort();
  }

  async idle(): Promise<void> {
    await this.running;
  }

  /** A wake during a run is not lost: the loop goes round once more. */
  private async drain(): Promise<void> {
    while (this.wanted && !this.signal.aborted) {
      this.wanted = false;
      try {
        this.wanted = (await this.definition.run(this.signal)) === true || this.wanted;
        this.succeeded();
      } catch (error) {
        this.failed(error);
        return;
      }
    }
  }

  private succeeded(): void {
    const { failures } = this;
    this.failures = 0;
    if (failures > 0) this.logger.log({ job: this.definition.name, failures }, 'job works again');
  }

  /** Only the first of a streak: a minute without the database would fill the log with one and the same line. */
  private failed(error: unknown): void {
    if (this.signal.aborted) return;
    if (this.failures === 0) this.logger.error({ job: this.definition.name, err: error }, 'job failed');
    this.failures += 1;
  }
}
