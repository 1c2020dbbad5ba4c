import { setTimeout } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
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
/** So long a run waits for the last of its rows. A decision is slow with thousands of transfers, or where somebody else holds the row. */
const PATIENCE_MS = 1_000;

/** A job's rows: how many it works on at once, and those that earlier runs have left behind. */
interface Lane {
  readonly atOnce: number;
  readonly slow: Map<string, Promise<unknown>>;
}

/** The background of the state machine: facts are applied, windows lapse, vanished deposits fail. */
@Injectable()
export class IntentsJobs implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(IntentsJobs.name);
  /** Together half of a default pool, which requests need too. */
  private readonly lanes = { apply: laneOf(4), lapsed: laneOf(2), overdue: laneOf(2) };

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

  /** No run is under way any more; what runs have left behind needs the database. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.lanes).flatMap(({ slow }) => [...slow.values()]));
  }

  @ScheduledJob(APPLY, APPLY_EVERY_MS)
  async applyChanges(): Promise<boolean> {
    const changes = await this.facts.changes(BATCH);
    const failures = await this.each(this.lanes.apply, changes, subjectOf, (change) => this.apply(change));
    return changes.length === BATCH && failures < BATCH;
  }

  /** Only after the first catch-up, so that our restart makes nobody late. */
  @ScheduledJob('sweep-expired', SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    if (this.readiness.isOpen) await this.advanceAll('lapsed');
  }

  @ScheduledJob('sweep-overdue', OVERDUE_EVERY_MS)
  async sweepOverdue(): Promise<void> {
    if (!this.readiness.isOpen) return;
    await this.advanceAll('overdue');
    const unseen = await this.undecidable.unseen();
    await this.each(this.lanes.overdue, unseen, asIs, (id) => this.askAbout(id));
  }

  /** What cannot be decided goes to the back of the line, or a hundred of it would stop everybody. */
  private async apply(change: FactChange): Promise<void> {
    try {
      await this.writer.applyChange(change);
    } catch (error) {
      await this.facts
        .postpone(change)
        .catch((err: unknown) => this.logger.warn({ intentId: change.subject, err }, 'stays first in line'));
      throw error;
    }
  }

  /** Page by page from the longest due: one that cannot be decided is left behind, not waited for. */
  private async advanceAll(which: 'lapsed' | 'overdue'): Promise<void> {
    let after: DueIntent | null = null;
    for (;;) {
      const page: DueIntent[] = await this.rows[which](BATCH, after);
      await this.each(this.lanes[which], page, idOf, ({ id }) => this.writer.advance(id));
      if (page.length < BATCH) return;
      after = page.at(-1) ?? null;
    }
  }

  private async askAbout(id: string): Promise<void> {
    await this.writer.decideAnew(id);
    await this.undecidable.over(id);
  }

  /**
   * What cannot be worked on stops none of the others: `Undecidable.try` never rejects. What is slow goes on beside the next run when nothing else is left of
   * this one; it keeps its place among those that are worked on at once.
   * @returns how many could not be worked on
   */
  private async each<Item>(
    { atOnce, slow }: Lane,
    items: readonly Item[],
    intentIdOf: (item: Item) => string,
    work: (item: Item) => Promise<void>,
  ): Promise<number> {
    while (slow.size >= atOnce) await Promise.race(slow.values());
    let failures = 0;
    const underWay = new Map<string, Promise<void>>();
    const workOn = async (item: Item, id: string) => {
      if (!(await this.undecidable.try(id, () => work(item)))) failures += 1;
    };
    const queue = items.filter((item) => !slow.has(intentIdOf(item))).values();
    const worker = async () => {
      for (const item of queue) {
        const id = intentIdOf(item);
        const working = workOn(item, id);
        underWay.set(id, working);
        await working;
        underWay.delete(id);
      }
    };
    const workers = Array.from({ length: atOnce - slow.size }, worker);
    const all = Promise.all(workers);
    // Once one has ended nothing waits for a turn.
    await Promise.race([all, ...workers]);
    await patiently(all);
    for (const [id, working] of underWay)
      slow.set(
        id,
        working.finally(() => slow.delete(id)),
      );
    return failures;
  }
}

const subjectOf = ({ subject }: FactChange) => subject;
const idOf = ({ id }: DueIntent) => id;
const asIs = (id: string) => id;
const laneOf = (atOnce: number): Lane => ({ atOnce, slow: new Map() });

async function patiently(work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const { signal } = done;
  const patience = setTimeout(PATIENCE_MS, undefined, { signal }).catch(() => undefined);
  await Promise.race([work.finally(() => done.abort()), patience]);
}
