import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Readiness } from '../../../platform/health/readiness.js';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { ScheduledJob } from '../../../platform/jobs/scheduled-job.js';
import type { FactChange } from '../../chains/chains.types.js';
import { FactsService } from '../../chains/facts.service.js';
import { type DueIntent, IntentsRepository } from '../data/intents.repository.js';
import { StatusWriter } from './status-writer.js';
import { Undecidable } from './undecidable.js';

/** The sweeper sends the event of an expiry within about this time; reads do not wait for it. */
const SWEEP_EVERY_MS = 500;
/** Changed facts wake the job at once on the instance that watches; on others they are found at this pace. */
const APPLY_EVERY_MS = 1_000;
/** Completed deposits that may have vanished for good: their clock runs in minutes. */
const OVERDUE_EVERY_MS = 30_000;

const APPLY = 'apply-facts';
const BATCH = 100;
/** Rows worked on at once by each of the three jobs: together half of a default pool, which requests need too. */
const CONCURRENCY = { apply: 4, sweep: 2, overdue: 2 } as const;

/** The background of the state machine: facts are applied, windows lapse, vanished deposits fail. */
@Injectable()
export class IntentsJobs implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly rows: IntentsRepository,
    private readonly writer: StatusWriter,
    private readonly facts: FactsService,
    private readonly readiness: Readiness,
    private readonly undecidable: Undecidable,
  ) {}

  onModuleInit(): void {
    this.facts.changed.subscribe(() => this.jobs.wake(APPLY));
  }

  @ScheduledJob(APPLY, APPLY_EVERY_MS)
  async applyChanges(): Promise<boolean> {
    const changes = await this.facts.changes(BATCH);
    const failed = await this.each(changes, CONCURRENCY.apply, subjectOf, (change) =>
      this.writer.applyChange(change),
    );
    // What cannot be decided goes to the back of the line, or a hundred of it would stop everybody.
    for (const change of failed) await this.facts.postpone(change);
    return changes.length === BATCH && failed.length < BATCH;
  }

  /** Only after the first catch-up, so that our restart makes nobody late. */
  @ScheduledJob('sweep-expired', SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    if (this.readiness.isOpen) await this.advanceAll('lapsed', CONCURRENCY.sweep);
  }

  @ScheduledJob('sweep-overdue', OVERDUE_EVERY_MS)
  async sweepOverdue(): Promise<void> {
    if (this.readiness.isOpen) await this.advanceAll('overdue', CONCURRENCY.overdue);
    await this.undecidable.resolveOld();
  }

  /** Page by page from the longest due: one that cannot be decided is left behind, not waited for. */
  private async advanceAll(which: 'lapsed' | 'overdue', concurrency: number): Promise<void> {
    let after: DueIntent | null = null;
    for (;;) {
      const page: DueIntent[] = await this.rows[which](BATCH, after);
      await this.each(page, concurrency, idOf, ({ id }) => this.writer.advance(id));
      if (page.length < BATCH) return;
      after = page.at(-1) ?? null;
    }
  }

  /** @returns what could not be worked on */
  private async each<Item>(
    items: readonly Item[],
    concurrency: number,
    intentIdOf: (item: Item) => string,
    work: (item: Item) => Promise<void>,
  ): Promise<Item[]> {
    const failed: Item[] = [];
    const queue = items.values();
    const worker = async () => {
      for (const item of queue) {
        if (!(await this.undecidable.try(intentIdOf(item), () => work(item)))) failed.push(item);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return failed;
  }
}

const subjectOf = ({ subject }: FactChange) => subject;
const idOf = ({ id }: DueIntent) => id;
