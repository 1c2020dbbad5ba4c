import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../../config/config.types.js';
import type { ANYBODYS } from '../../../database/by.js';
import { DatabaseClock } from '../../../database/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isId, newId } from '../../../kernel/ids.js';
import { isOpen } from '../../../kernel/intent-status.js';
import { currentTraceId } from '../../../platform/observability/trace.js';
import { FactsService } from '../../chains/facts.service.js';
import { OutboxService } from '../../webhooks/outbox.service.js';
import {
  type DueIntent,
  IntentsRepository,
  type ListFilter,
  type LiveIntent,
} from '../data/intents.repository.js';
import type { Intent } from '../domain/model.js';
import { presentIntent, presentPayment } from '../domain/present.js';
import { isOf } from '../domain/whose.js';
import { WINDOW_MINUTES } from '../domain/window.js';
import { intentNotFound } from '../intents.errors.js';
import type { IntentChange, IntentWithPayment, PageOf, PaymentIntent } from '../intents.types.js';
import { findByIdempotencyKey, insertIntent } from './data/create-intent.statement.js';
import { mismatchesOf, type NewIntent } from './domain/request.js';
import { renderCreation } from './domain/steps.js';
import { StatusMetrics } from './status.metrics.js';
import { type MerchantCancellation, type OperatorCancellation, StatusWriter } from './status-writer.js';
import { Undecidable } from './undecidable.js';

/** A list that finds lapsed rows is read again once they are decided; twice, because some may lapse meanwhile. */
const LIST_AGAIN = 2;
/** How many lapsed rows a list brings up to date at a time; the sweeper leaves a second's worth at most. */
const LAPSED_BATCH = 100;

export interface Created {
  readonly intent: PaymentIntent;
  readonly replayed: boolean;
  /** Fields in which a replayed request differs from the original; the original counts. */
  readonly mismatches: readonly string[];
}

/** What the REST API does with intents. */
@Injectable()
export class IntentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: IntentsRepository,
    private readonly writer: StatusWriter,
    private readonly clock: DatabaseClock,
    private readonly outbox: OutboxService,
    private readonly facts: FactsService,
    private readonly metrics: StatusMetrics,
    private readonly undecidable: Undecidable,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * One round trip for a new intent. No address is derived and no rate is asked for: most intents are never paid.
   * A replay returns the original with its live status.
   */
  async create(merchantId: string, request: NewIntent): Promise<Created> {
    const createdAt = await this.clock.now();
    const intent = newIntent(merchantId, request, createdAt);
    const { checkoutUrl } = this.config;
    const event = renderCreation(intent, { checkoutUrl, newEventId: () => newId('evt') });
    const created = await insertIntent(this.dataSource, intent, { ...event, traceId: currentTraceId() });
    if (created) {
      if (created.isTold) this.outbox.wake();
      this.metrics.created();
      return { intent: presentIntent(intent, null, checkoutUrl), replayed: false, mismatches: [] };
    }
    return this.replay(merchantId, request);
  }

  /**
   * With its live status: a read that finds a lapsed window decides first, so that what was read stays true.
   * @throws DomainError `intent-not-found`, also for another merchant's
   */
  async get(merchantId: string, id: string): Promise<IntentWithPayment> {
    const found = isId('pi', id) ? await this.rows.find(id) : null;
    return this.read(found?.intent.merchantId === merchantId ? found : null);
  }

  /** The same of what its merchant's request has found in the round trip of its key. @throws as `get` */
  async read(found: LiveIntent | null): Promise<IntentWithPayment> {
    const live = found && (await this.decided(found));
    if (!live) throw intentNotFound();
    return this.presentWithPayment(live);
  }

  /**
   * Newest first. Totals and items agree with each other and with what single reads say, expiry included. One that cannot be
   * decided, whose single read fails, stands there as it is stored.
   */
  async list(filter: ListFilter, page: number, pageSize: number): Promise<PageOf<PaymentIntent>> {
    const read = () => this.rows.list(filter, pageSize, (page - 1) * pageSize);
    let listed = await read();
    for (let again = 0; listed.anyLapsed && again < LIST_AGAIN; again++) {
      if ((await this.bringUpToDate(filter.merchantId)) === 0) break;
      listed = await read();
    }
    return { items: listed.page.map((live) => this.present(live)), total: listed.total, page, pageSize };
  }

  /**
   * Calls it off, also while underpaid (what arrived is then the merchant's to refund), never once completed. Nothing
   * happens to one that is cancelled already.
   * @throws DomainError `intent-not-found`, also for another's; `conflict`
   */
  cancel(change: IntentChange<string>, cause: MerchantCancellation): Promise<IntentWithPayment>;
  cancel(change: IntentChange<typeof ANYBODYS>, cause: OperatorCancellation): Promise<IntentWithPayment>;
  async cancel(
    { whose, id, by }: IntentChange,
    cause: MerchantCancellation | OperatorCancellation,
  ): Promise<IntentWithPayment> {
    // Before the lock: a stranger must not even make others wait for it.
    const found = isId('pi', id) ? await this.rows.find(id) : null;
    if (!found || !isOf(whose, found.intent)) throw intentNotFound();
    await this.writer.underLock(whose, id, async (tx, locked) => {
      const { status, completedAt } = locked.intent;
      if (status === 'cancelled') return;
      if (!isOpen(status) || completedAt !== null) {
        throw new DomainError(
          'conflict',
          'conflict',
          `A payment that is ${isOpen(status) ? 'complete' : status} cannot be cancelled.`,
        );
      }
      await this.writer.cancel(tx, locked, { cause, by });
    });
    return this.show(id);
  }

  /** An intent of whichever merchant, with its live status. @throws DomainError `intent-not-found` */
  async show(id: string): Promise<IntentWithPayment> {
    const found = isId('pi', id) ? await this.findLive(id) : null;
    if (!found) throw intentNotFound();
    return this.presentWithPayment(found);
  }

  /**
   * As it is stored, decided or not: for an operator who looks while the service, and so its watchers, may be down.
   * @throws DomainError `intent-not-found`
   */
  async peek(id: string): Promise<PaymentIntent> {
    const found = isId('pi', id) ? await this.rows.find(id) : null;
    if (!found) throw intentNotFound();
    return this.present(found);
  }

  private async replay(merchantId: string, request: NewIntent): Promise<Created> {
    const original = await findByIdempotencyKey(this.dataSource, merchantId, request.idempotencyKey ?? '');
    if (!original) throw new Error('the idempotency key was taken, yet no intent has it');
    const live = await this.findLive(original.id);
    if (!live) throw new Error('an intent disappeared');
    return { intent: this.present(live), replayed: true, mismatches: mismatchesOf(original, request) };
  }

  private async findLive(id: string): Promise<LiveIntent | null> {
    const found = await this.rows.find(id);
    return found && this.decided(found);
  }

  private async decided(found: LiveIntent): Promise<LiveIntent | null> {
    if (!found.lapsed) return found;
    await this.writer.advance(found.intent.id);
    return this.rows.find(found.intent.id);
  }

  /**
   * Expires what has lapsed, so that whatever is listed next agrees with single reads. What cannot be decided takes nobody
   * the list of the others; once that is known it is left to the sweeper, which tries again all the time.
   * @returns how many were decided
   * @throws what passes, of a database that gives up or cannot be reached: a list must not show what is not so any more
   */
  async bringUpToDate(merchantId: string): Promise<number> {
    let [decided, after]: [number, DueIntent | null] = [0, null];
    for (;;) {
      const lapsed: DueIntent[] = await this.rows.lapsedOf(merchantId, LAPSED_BATCH, after);
      for (const { id } of lapsed) {
        if (this.undecidable.has(id)) continue;
        if (await this.undecidable.tryToRead(id, () => this.writer.advance(id))) decided += 1;
      }
      if (lapsed.length < LAPSED_BATCH) return decided;
      after = lapsed.at(-1) ?? null;
    }
  }

  /** The facts are read with the status or after it: what a status rests on is never missing beside it. */
  private async presentWithPayment(live: LiveIntent): Promise<IntentWithPayment> {
    const { intent, quote, facts } = live;
    const payment =
      quote && presentPayment(quote, facts ?? (await this.facts.of(this.dataSource, intent.id)));
    return { ...this.present(live), payment };
  }

  private present({ intent, quote }: LiveIntent): PaymentIntent {
    return presentIntent(intent, quote, this.config.checkoutUrl);
  }
}

function newIntent(merchantId: string, request: NewIntent, createdAt: Date): Intent {
  return {
    ...request,
    id: newId('pi', createdAt.getTime()),
    merchantId,
    status: 'initiated',
    quoteId: null,
    sequence: 1,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + WINDOW_MINUTES * 60_000),
    completedAt: null,
    confirmedAt: null,
    settledAt: null,
  };
}
