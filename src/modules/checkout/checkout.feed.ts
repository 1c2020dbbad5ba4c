import { Inject, Injectable } from '@nestjs/common';
import { merge, Observable, Subject, timer } from 'rxjs';
import { CONFIG, type Config } from '../../config/config.types.js';
import { DomainError } from '../../kernel/domain-error.js';
import { inPieces } from '../../kernel/lookups.js';
import { Readiness } from '../../platform/health/readiness.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { ScheduledJob } from '../../platform/jobs/scheduled-job.js';
import { ipBlocks } from '../../platform/rate-limit/client-ip.js';
import type { CheckoutIntent } from '../intents/checkout.types.js';
import { CheckoutIntentsService } from '../intents/checkout/checkout-intents.service.js';
import { pageVersion } from './domain/page-version.js';

const FEED = 'checkout-feed';
const OPENED = 'checkout-feed-opened';
/** How soon an open page learns of a change that another instance made. */
const LOOK_EVERY_MS = 1_000;
/** Rates and networks are not part of a revision: pages are looked at anew this often in any case. */
const REFRESH_EVERY_MS = 15_000;
/** Streams of one client address: a family or an office with several payments open. More would be a hoard. */
const MAX_STREAMS_PER_ADDRESS = 20;
/** Streams of a /56: what one subscriber may be given, or several are. */
const MAX_STREAMS_PER_SUBSCRIBER = 100;
/** The part of all streams that a /48 may have, or as many as a /56: phones of one mobile network, or a tenant of a data centre. */
const SHARE_OF_NETWORK = 1 / 10;
/** No payment's page is watched for longer. A browser that still shows one reconnects by itself. */
const MAX_STREAM_MS = 30 * 60_000;
/** Pages that are read together, in as many questions as one of them. */
const READ_TOGETHER = 100;
/** If they cannot be read: those of one page that cannot be are found with twenty reads more, and all are tried once alone at most. */
const PARTS_OF_FAILED = 10;
/** Such reads at the same time: several, so that a slow one holds up nobody; few, for the pool's sake. */
const READS_AT_ONCE = 4;

interface Page {
  readonly changes: Subject<CheckoutIntent>;
  listeners: number;
  revision: string;
  version: string;
  refreshAtMs: number;
}

interface DuePage {
  readonly id: string;
  readonly page: Page;
  readonly revision: string;
}

/**
 * Tells open pages what has changed: two queries a second for all of them together, and two for those that were opened since the
 * last ones. What changed is read, up to 100 pages at once.
 */
@Injectable()
export class CheckoutFeed {
  private readonly pages = new Map<string, Page>();
  /** Of these, what somebody waits for who was told nothing yet. */
  private readonly opened = new Map<string, Page>();
  private turn: Promise<void> = Promise.resolve();
  private readonly streamsOf = new Map<string, number>();
  private streams = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly jobs: Jobs,
    private readonly intents: CheckoutIntentsService,
    private readonly readiness: Readiness,
  ) {}

  /**
   * The present state at once, then every change. Fails with the DomainError `unavailable` when there are too many
   * streams, of this address or of all.
   */
  watch(id: string, address: string): Observable<CheckoutIntent> {
    return new Observable((subscriber) => {
      this.admit(address);
      const page = this.open(id);
      const subscription = page.changes.subscribe(subscriber);
      this.jobs.wake(OPENED);
      return () => {
        subscription.unsubscribe();
        this.close(id, page);
        this.leave(address);
      };
    });
  }

  /** When a stream must end: at shutdown, because an open one would keep the server from closing, and in any case some day. */
  ending(): Observable<unknown> {
    return merge(this.readiness.closing, timer(MAX_STREAM_MS));
  }

  private admit(address: string): void {
    const blocks = ipBlocks(address);
    const limits = [
      MAX_STREAMS_PER_ADDRESS,
      MAX_STREAMS_PER_SUBSCRIBER,
      Math.max(MAX_STREAMS_PER_SUBSCRIBER, this.config.checkoutStreams * SHARE_OF_NETWORK),
    ];
    const isFull = blocks.some((block, i) => (this.streamsOf.get(block) ?? 0) >= (limits[i] ?? 0));
    if (this.streams >= this.config.checkoutStreams || isFull) {
      throw new DomainError('unavailable', 'unavailable', 'Too many open pages; this one polls instead.', {
        headers: { 'Retry-After': '15' },
      });
    }
    this.streams += 1;
    for (const block of blocks) this.streamsOf.set(block, (this.streamsOf.get(block) ?? 0) + 1);
  }

  private leave(address: string): void {
    this.streams -= 1;
    for (const block of ipBlocks(address)) {
      const left = (this.streamsOf.get(block) ?? 1) - 1;
      if (left > 0) this.streamsOf.set(block, left);
      else this.streamsOf.delete(block);
    }
  }

  private open(id: string): Page {
    const page = this.pages.get(id) ?? {
      changes: new Subject<CheckoutIntent>(),
      listeners: 0,
      revision: '',
      version: '',
      refreshAtMs: 0,
    };
    page.listeners += 1;
    page.version = ''; // a new listener is told the present state; the others ignore a version that they show
    page.refreshAtMs = 0;
    this.pages.set(id, page);
    this.opened.set(id, page);
    return page;
  }

  private close(id: string, page: Page): void {
    page.listeners -= 1;
    if (page.listeners > 0) return;
    this.pages.delete(id);
    this.opened.delete(id);
  }

  @ScheduledJob(FEED, LOOK_EVERY_MS)
  look(): Promise<void> {
    return this.inTurn(() => this.update(this.pages));
  }

  /** Those alone that were just opened: however many are open, another one costs what it costs itself. */
  @ScheduledJob(OPENED, LOOK_EVERY_MS)
  lookAtOpened(): Promise<void> {
    return this.inTurn(() => this.update(this.opened));
  }

  /** One look after the other: no page is told what was read before the last that it was told. */
  private inTurn(look: () => Promise<void>): Promise<void> {
    const done = this.turn.then(look);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async update(some: ReadonlyMap<string, Page>): Promise<void> {
    const pages = [...some];
    // They are among these; one that cannot be read now is due at the next look at all.
    this.opened.clear();
    if (pages.length === 0) return;
    const nowMs = Date.now();
    const revisions = await this.intents.revisions(pages.map(([id]) => id));
    const due = pages.filter(
      ([id, page]) => (revisions.get(id) ?? '') !== page.revision || nowMs >= page.refreshAtMs,
    );
    const failures: unknown[] = [];
    const readOn = async () => {
      while (due.length > 0) {
        const pages = due
          .splice(0, READ_TOGETHER)
          .map(([id, page]) => ({ id, page, revision: revisions.get(id) ?? '' }));
        await this.read(pages).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, readOn));
    // The others have been told; what failed is due again at the next look, and the job says once that it did.
    if (failures.length > 0) throw failures[0];
  }

  /** One that cannot be read keeps the others of its part from nothing. */
  private async read(pages: readonly DuePage[]): Promise<void> {
    const ids = pages.map(({ id }) => id);
    const intents = await this.intents.findAll(ids).catch((error: unknown) => {
      if (pages.length === 1) throw error;
      return null;
    });
    if (intents) for (const due of pages) tell(due, intents.get(due.id));
    else await this.readInParts(pages);
  }

  private async readInParts(pages: readonly DuePage[]): Promise<void> {
    const failures: unknown[] = [];
    for (const part of inPieces(pages, Math.ceil(pages.length / PARTS_OF_FAILED)))
      await this.read(part).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}

function tell({ page, revision }: DuePage, intent: CheckoutIntent | undefined): void {
  if (!intent) return;
  page.revision = revision;
  page.refreshAtMs = Date.now() + REFRESH_EVERY_MS;
  const version = pageVersion(intent);
  if (version !== page.version) page.changes.next(intent);
  page.version = version;
}
