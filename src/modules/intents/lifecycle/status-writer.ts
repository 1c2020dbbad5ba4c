import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { AuditTrail, type By, type Whose } from '../../../database/by.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { newId } from '../../../kernel/ids.js';
import { type IntentStatus, isTerminal } from '../../../kernel/intent-status.js';
import { currentTraceId } from '../../../platform/observability/trace.js';
import type { FactChange, Facts } from '../../chains/chains.types.js';
import { FactsService } from '../../chains/facts.service.js';
import { NetworkHealthService } from '../../chains/network-health.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { OutboxService } from '../../webhooks/outbox.service.js';
import { IntentsRepository, type Locked, type LockedIntent } from '../data/intents.repository.js';
import type { Intent } from '../domain/model.js';
import { acceptedSettlement, type Settlement, settlementOf } from '../domain/settlement.js';
import { namesSome } from '../domain/transfers.js';
import { isOf } from '../domain/whose.js';
import { intentNotFound } from '../intents.errors.js';
import type { IntentChange } from '../intents.types.js';
import { ReviewsRepository } from '../unsettled/data/reviews.repository.js';
import {
  type RecordedMoney,
  UnsettledMoneyRepository,
} from '../unsettled/data/unsettled-money.repository.js';
import { restingTransfers } from '../unsettled/domain/resting.js';
import type { Acceptable } from '../unsettled/domain/review.js';
import { MoneyAnnouncer } from '../unsettled/money-announcer.js';
import { type AcceptedByRule, ReviewQueue } from '../unsettled/review-queue.js';
import { SettlementWatch } from '../unsettled/settlement-watch.js';
import { complete, type NewQuote, showQuote, writeQuote } from './data/write-quotes.statement.js';
import { writeTransitions } from './data/write-transitions.statement.js';
import { decide, type Decision, type Step } from './domain/decide.js';
import { renderSteps } from './domain/steps.js';
import { StatusMetrics } from './status.metrics.js';

/** With its transfers of which more blocks on top are no news (ADR 92). */
interface Decided extends Locked {
  readonly resting: readonly string[];
}

/** Who calls an intent off. A buyer is nobody whom we know: the transition says that it was the buyer, and no log says more. */
export type Cancellation =
  | { readonly cause: 'cancelled-by-buyer'; readonly by: null }
  | {
      readonly cause: MerchantCancellation | OperatorCancellation;
      readonly by: By;
    };
/** In the name of its merchant, by one of its people or by its server. */
export type MerchantCancellation = 'cancelled-by-merchant' | 'cancelled-by-key';
/** Or in the operator's, of whosever payment. */
export type OperatorCancellation = 'cancelled-by-operator';

/** Two transitions of different intents can meet in the same counters in opposite order. */
const MAX_ATTEMPTS = 4;

const NO_FACTS: Facts = { transfers: [], tips: new Map() };

/**
 * The one writer of statuses. Whoever wants to know or change where an intent stands comes through here: the
 * row is locked, everything that is due is decided and written first, and only then does the caller act. So a
 * read, the sweeper, the watcher's facts, a pick and a cancellation can never disagree.
 */
@Injectable()
export class StatusWriter {
  /** Transactions in which a delivery was written that is due. */
  private readonly telling = new WeakSet<EntityManager>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: IntentsRepository,
    private readonly facts: FactsService,
    private readonly health: NetworkHealthService,
    private readonly networks: NetworksService,
    private readonly outbox: OutboxService,
    private readonly metrics: StatusMetrics,
    private readonly reviews: ReviewsRepository,
    private readonly money: UnsettledMoneyRepository,
    private readonly queue: ReviewQueue,
    private readonly settlements: SettlementWatch,
    private readonly announcer: MoneyAnnouncer,
    private readonly trail: AuditTrail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Brings an intent up to now. Does nothing to one that does not exist or that nothing moves any more.
   * @throws Error where it waits for a network that nobody watches
   */
  async advance(id: string): Promise<void> {
    await this.transaction(async (tx) => {
      const locked = await this.rows.lock(tx, id);
      if (locked && !isTerminal(locked.intent.status))
        await this.mustBeWatched(tx, await this.decideNow(tx, locked));
    });
  }

  /**
   * The same of one that has ended too, whose money may still be undecided: what any job tries of it.
   * @throws as `advance`
   */
  async decideAnew(id: string): Promise<void> {
    await this.transaction(async (tx) => {
      const locked = await this.rows.lock(tx, id);
      if (locked) await this.mustBeWatched(tx, await this.decideNow(tx, locked));
    });
  }

  /**
   * As `advance`, for a change of facts, acknowledged in the same transaction: a crash in between loses nothing. Each instance
   * takes the same changes, and who comes second has nothing left to decide.
   */
  async applyChange(change: FactChange): Promise<void> {
    await this.transaction(async (tx) => {
      const locked = await this.rows.lock(tx, change.subject);
      if (!(await this.facts.isChanged(tx, change.subject))) return;
      const resting = locked ? (await this.decideNow(tx, locked)).resting : [];
      await this.facts.acknowledge(tx, change, resting);
    });
  }

  /**
   * Runs `work` on the intent as it stands now, in one transaction with whatever was due. A refusal undoes the
   * work and nothing else: an expiry that the refusal was about stays written. Where nothing was due there is nothing to
   * keep, and no savepoint to go back to.
   * @param refused what is said of another merchant's: as a rule what is said of one that does not exist
   * @throws DomainError `intent-not-found`
   */
  async underLock<Result>(
    whose: Whose,
    id: string,
    work: (tx: EntityManager, locked: Locked) => Promise<Result>,
    refused: () => DomainError = intentNotFound,
  ): Promise<Result> {
    const outcome = await this.transaction(async (tx) => {
      const found = await this.rows.lock(tx, id);
      if (!found) throw intentNotFound();
      const locked = await this.decideNow(tx, found);
      const act = async (on: EntityManager) => {
        if (!isOf(whose, locked.intent)) throw refused();
        return { value: await work(on, locked) };
      };
      // Of an ended intent more may have been written than its row.
      const isAsFound = locked.intent === found.intent && !isTerminal(found.intent.status);
      return isAsFound ? act(tx) : tx.transaction(act).catch(refusalOrThrow);
    });
    if ('refusal' in outcome) throw outcome.refusal;
    return outcome.value;
  }

  /** Calls an intent off, under the lock of `underLock`; that it may be is checked by the caller. */
  async cancel(tx: EntityManager, locked: Locked, { cause, by }: Cancellation): Promise<void> {
    const { id, merchantId, status: from, quoteId, completedAt } = locked.intent;
    const steps: Step[] = [{ from, to: 'cancelled', cause }];
    const after = await this.write(tx, locked, { steps, quoteId, completedAt });
    await this.tellOfMoney(tx, after);
    await by?.record(tx, { merchantId, action: 'intent.cancelled', subject: id });
  }

  /**
   * Walks one edge of an intent that cannot be decided, from what is stored of it: no fact is judged, now or later, and
   * what is there enters the queue and is announced. That it may be closed is checked by `check`, under the lock.
   * @param why for the audit log
   * @throws DomainError `intent-not-found`, and whatever `check` throws
   */
  async close(
    { whose, id, by }: IntentChange,
    to: IntentStatus,
    why: { readonly message: string; readonly note: string },
    check: (intent: Intent, now: Date) => void,
  ): Promise<void> {
    await this.transaction(async (tx) => {
      const locked = await this.rows.lock(tx, id);
      if (!locked || !isOf(whose, locked.intent)) throw intentNotFound();
      const { intent, now } = locked;
      check(intent, now);
      const quotes = await this.rows.quotesOf([id], tx);
      const facts = await this.facts.of(tx, id);
      const { merchantId, quoteId, completedAt, status: from } = intent;
      const steps: Step[] = [{ from, to, cause: 'closed-by-operator' }];
      const after = await this.write(tx, { intent, quotes, facts, now }, { steps, quoteId, completedAt });
      await this.tellOfMoney(tx, after);
      const detail = { from, to, ...why };
      await by.record(tx, { merchantId, action: 'intent.closed', subject: id, detail });
    });
  }

  /**
   * The one way out of a terminal status: an expired intent is settled by what an accept names. A person's or a
   * rule's; that it may be accepted has been checked by the caller.
   */
  async accept(
    tx: EntityManager,
    locked: Locked,
    { quote, transfers }: Pick<Acceptable, 'quote' | 'transfers'>,
    by: By,
    reason: string,
  ): Promise<Locked> {
    const { intent } = locked;
    const ids = transfers.map(({ id }) => id);
    const accept = { actor: by.name, note: reason };
    await this.reviews.decided(tx, { intentId: intent.id, kind: 'accept', ...accept, transfers: ids });
    const steps: Step[] = [{ from: 'expired', to: 'settled', cause: 'accepted-in-review' }];
    const { completedAt } = intent;
    const facts = { ...locked.facts, transfers };
    const decision = { steps, quoteId: quote.id, completedAt };
    const after = await this.write(
      tx,
      { ...locked, facts },
      decision,
      acceptedSettlement(quote, transfers, accept),
    );
    await by.record(tx, {
      merchantId: intent.merchantId,
      action: 'review.accepted',
      subject: intent.id,
      detail: { reason, transfers: namesSome(ids) },
    });
    await this.tellOfMoney(tx, { ...after, facts: locked.facts });
    return after;
  }

  /** Changes what the intent shows, which is no transition and sends nothing: from now on a quote that is made with it. */
  async quote(tx: EntityManager, quote: NewQuote): Promise<void> {
    await writeQuote(tx, quote);
  }

  /** The same to a quote that was made before. */
  async showQuote(tx: EntityManager, intent: Intent, quoteId: string): Promise<void> {
    await showQuote(tx, intent.id, quoteId);
  }

  private async transaction<Result>(work: (tx: EntityManager) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, isTold } = await this.dataSource.transaction(async (tx) => ({
          result: await work(tx),
          isTold: this.telling.has(tx),
        }));
        // Only then: a dispatcher that is woken asks the database for what is due.
        if (isTold) this.outbox.wake();
        return result;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error;
      }
    }
  }

  /** After its window only what a network tells moves it. One that no instance watches any more tells nothing. */
  private async mustBeWatched(tx: EntityManager, { intent, quotes, now }: Locked): Promise<void> {
    if (isTerminal(intent.status) || now <= intent.expiresAt) return;
    const quote = quotes.find(({ id }) => id === intent.quoteId);
    if (!quote || this.networks.network(quote.network)) return;
    const { network } = quote;
    if ((await this.health.unwatched([quote], tx)).length === 0) return;
    throw new Error(`it waits for ${network}, a network that is not in the configuration any more`);
  }

  private async decideNow(tx: EntityManager, { intent, now }: LockedIntent): Promise<Decided> {
    const quotes = await this.rows.quotesOf([intent.id], tx);
    const facts = quotes.length > 0 ? await this.facts.of(tx, intent.id) : NO_FACTS;
    const found = { intent, quotes, facts, now };
    const wasEnded = isTerminal(intent.status);
    const locked = wasEnded
      ? found
      : await this.write(tx, found, decide(intent, quotes, facts, now, await this.isUnseen(tx, found)));
    if (!isTerminal(locked.intent.status)) return { ...locked, resting: [] };
    const recorded = await this.money.recorded(tx, intent.id);
    if (wasEnded) await this.settlements.compare(tx, locked, recorded);
    const accepted = await this.queue.reconcile(tx, locked, recorded);
    if (accepted) return { ...(await this.acceptByRule(tx, locked, accepted)), resting: [] };
    await this.announce(tx, locked, recorded);
    return { ...locked, resting: restingTransfers(facts, recorded) };
  }

  /** What a person's or a rule's decision leaves of an intent's money: in the queue, and announced. */
  private async tellOfMoney(tx: EntityManager, locked: Locked): Promise<void> {
    const recorded = await this.money.recorded(tx, locked.intent.id);
    await this.queue.reconcile(tx, locked, recorded);
    await this.announce(tx, locked, recorded);
  }

  private async announce(tx: EntityManager, locked: Locked, recorded: RecordedMoney): Promise<void> {
    if (await this.announcer.announce(tx, locked, recorded)) this.telling.add(tx);
  }

  private acceptByRule(tx: EntityManager, locked: Locked, accepted: AcceptedByRule): Promise<Locked> {
    const by = this.trail.agent(`rule:${accepted.rule}`, null);
    return this.accept(tx, locked, accepted, by, `accepted by the standing rule "${accepted.rule}"`);
  }

  /** Asked only where a window has ended: then it matters whether the buyer could have paid without our seeing it. */
  private async isUnseen(tx: EntityManager, { intent, quotes, now }: Locked): Promise<boolean> {
    if (quotes.length === 0 || now <= intent.expiresAt || intent.completedAt !== null) return false;
    return this.health.isAnyUnseen(tx, quotes);
  }

  /** @returns the very intent that was given where nothing is to be written */
  private async write(
    tx: EntityManager,
    locked: Locked,
    decision: Decision,
    accepted: Settlement | null = null,
  ): Promise<Locked> {
    const { intent, quotes, facts, now } = locked;
    if (decision.steps.length === 0) {
      if (decision.quoteId === intent.quoteId && same(decision.completedAt, intent.completedAt))
        return locked;
      const { quoteId, completedAt } = decision;
      const after = { ...intent, quoteId, completedAt };
      await complete(tx, after);
      return { ...locked, intent: after };
    }
    const quote = quotes.find((candidate) => candidate.id === decision.quoteId) ?? null;
    const rendered = renderSteps(locked, decision, quote, {
      checkoutUrl: this.config.checkoutUrl,
      newEventId: () => newId('evt'),
    });
    const after = rendered.after;
    const settlement =
      accepted ?? (after.status === 'settled' && quote ? settlementOf(after, quote, facts) : null);
    const traceId = currentTraceId();
    const written = await writeTransitions(tx, { before: intent, ...rendered, settlement, traceId, at: now });
    if (!written) throw new Error(`intent ${intent.id} moved although it was locked`);
    if (written.isTold) this.telling.add(tx);
    this.metrics.walked(rendered.steps);
    return { ...locked, intent: after };
  }
}

function refusalOrThrow(error: unknown): { refusal: DomainError } {
  if (error instanceof DomainError) return { refusal: error };
  throw error;
}

/** Deadlocks and serialization failures were rolled back whole, and every decision may be made again. */
function isRetryable(error: unknown): boolean {
  const { code } = fieldsOf(error);
  return code === '40P01' || code === '40001';
}

function same(a: Date | null, b: Date | null): boolean {
  return a?.getTime() === b?.getTime();
}
