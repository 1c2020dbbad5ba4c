import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';
import { ChainsService } from '../chains/chains.service.js';
import { IntentRows } from './data/read-intents.js';
import type { ReviewDecisionEntity } from './data/review-decision.entity.js';
import { RefundRequests } from './data/refund-requests.js';
import type { ReviewEntryEntity } from './data/review-entry.entity.js';
import { Reviews } from './data/reviews.js';
import { presentRequest } from './domain/rescue.js';
import { describeEntry } from './domain/review-entry.js';
import { isFinal } from './domain/review.js';
import type { RefundRequest, ReviewEntry } from './intents.types.js';
import type { Backlog } from './payments.types.js';
import { ReviewQueue } from './review-queue.js';
import { StatusWriter } from './status-writer.js';

/** As many as a person looks through; the queue says so when there are more. */
const MAX_ENTRIES = 500;

/** A decision is kept for ever: a paragraph of reasons, not a file. */
const MAX_NOTE = 1000;

/** A refund that the merchant made with its own wallet: recorded here, never sent from here. */
export interface Refund {
  readonly amount: string;
  readonly txid: string | null;
}

/** An entry with its history. */
export interface ReviewDetail extends ReviewEntry {
  /** Every version that the buyer left, oldest first. All unverified. */
  readonly refundRequests: readonly RefundRequest[];
  readonly decisions: readonly ReviewDecisionEntity[];
}

/** The review queue: terminal intents with money that somebody must decide about. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: IntentRows,
    private readonly reviews: Reviews,
    private readonly requests: RefundRequests,
    private readonly queue: ReviewQueue,
    private readonly writer: StatusWriter,
    private readonly chains: ChainsService,
  ) {}

  /** Punctual money first, then the oldest; at most 500. */
  async list(merchantId: string | null): Promise<ReviewEntry[]> {
    const entries = await this.reviews.queue(merchantId, MAX_ENTRIES);
    const ids = entries.map((entry) => entry.intentId);
    const [facts, quotes, requests, found] = await Promise.all([
      this.chains.factsOf(this.dataSource, ids),
      this.rows.quotesOf(ids),
      this.requests.of(ids),
      this.rows.findMany(ids),
    ]);
    const intents = new Map(found.map((intent) => [intent.id, intent]));
    const latest = new Map(requests.map((request) => [request.intentId, request]));
    return entries.flatMap((entry) => {
      const intent = intents.get(entry.intentId);
      const own = quotes.filter(({ intentId }) => intentId === entry.intentId);
      if (!intent) return [];
      const described = {
        entry,
        intent,
        quotes: own,
        facts: facts.get(intent.id),
        request: latest.get(intent.id),
      };
      return [describeEntry(described, this.chains)];
    });
  }

  /** How many wait for a merchant's decision, for the badge beside the queue. */
  count(merchantId: string): Promise<number> {
    return this.reviews.countOf(merchantId);
  }

  /** The same for several merchants, for the operator; one without an entry is not in it. */
  async counts(merchantIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.reviews.countsOf(merchantIds);
    return new Map(rows.map(({ merchantId, count }) => [merchantId, count]));
  }

  /** Everybody's, for the operator. */
  backlog(): Promise<Backlog> {
    return this.reviews.backlog();
  }

  /** @throws DomainError `not-found` when the intent is not in the queue */
  async show(intentId: string): Promise<ReviewDetail> {
    const entry = await this.reviews.find(intentId);
    const live = entry && (await this.rows.find(intentId));
    if (!live) throw notQueued(intentId);
    const [facts, quotes, decisions, requests] = await Promise.all([
      this.chains.facts(this.dataSource, intentId),
      this.rows.quotesOf([intentId]),
      this.reviews.decisions(intentId),
      this.requests.of([intentId]),
    ]);
    const described = { entry, intent: live.intent, quotes, facts, request: requests.at(-1) };
    return {
      ...describeEntry(described, this.chains),
      refundRequests: requests.map((request) => presentRequest(request, this.chains)),
      decisions,
    };
  }

  /**
   * Settles an expired intent with the money that is there, with all side effects of settling.
   * @param seen transfers that the person saw; the accept fails if there are others by now
   * @throws DomainError `not-found`, `validation-error` without a reason, `conflict` when it is not expired, not
   *   final, or has changed
   */
  async accept(intentId: string, actor: string, reason: string, seen?: readonly string[]): Promise<void> {
    requireText(actor, 'actor');
    requireText(reason, 'reason');
    await this.writer.within(intentId, async (tx, locked) => {
      const entry = await this.reviews.find(intentId, tx);
      if (!entry) throw notQueued(intentId);
      requireUnchanged(entry, seen);
      if (locked.intent.status !== 'expired') {
        throw conflict(
          `An intent that is ${locked.intent.status} cannot be accepted; dismiss it or record a refund.`,
        );
      }
      const acceptable = await this.queue.acceptable(tx, locked);
      if (!acceptable)
        throw conflict('Nothing of the quoted asset has arrived; dismiss it or record a refund.');
      if (!isFinal(acceptable.quote, acceptable.facts)) {
        throw conflict('The money is not final yet. Try again when it has the settlement depth.');
      }
      await this.writer.accept(tx, locked, acceptable, { actor, note: reason });
    });
  }

  /**
   * Closes the entry without settling. New money opens it again.
   * @throws DomainError `not-found`, `validation-error`, `conflict` when it has changed
   */
  async dismiss(
    intentId: string,
    actor: string,
    note: string,
    refund?: Refund,
    seen?: readonly string[],
  ): Promise<void> {
    requireText(actor, 'actor');
    requireText(note, 'note');
    if (refund && !/^\d+(\.\d+)?$/.test(refund.amount)) {
      throw new DomainError(
        'invalid',
        'validation-error',
        'The refunded amount is a plain decimal such as 12.50.',
      );
    }
    await this.writer.within(intentId, async (tx, locked) => {
      const entry = await this.reviews.find(intentId, tx);
      if (!entry) throw notQueued(intentId);
      requireUnchanged(entry, seen);
      await this.reviews.decided(tx, {
        intentId,
        kind: refund ? 'refund' : 'dismiss',
        actor,
        note,
        transfers: entry.transfers,
        refundAmount: refund?.amount ?? null,
        refundTxid: refund?.txid ?? null,
      });
      await this.queue.reconcile(tx, locked);
    });
  }
}

function requireText(text: string, name: string): void {
  if (text.trim() === '') throw new DomainError('invalid', 'validation-error', `A decision needs a ${name}.`);
  if (text.length > MAX_NOTE) {
    throw new DomainError(
      'invalid',
      'validation-error',
      `The ${name} is longer than ${MAX_NOTE} characters.`,
    );
  }
}

/** The optimistic lock: a decision is about the money that the person saw, not about what came since. */
function requireUnchanged(entry: ReviewEntryEntity, seen: readonly string[] | undefined): void {
  if (!seen) return;
  const same = seen.length === entry.transfers.length && seen.every((id) => entry.transfers.includes(id));
  if (!same) throw conflict('The entry has changed since you looked. Look again before you decide.');
}

function conflict(detail: string): DomainError {
  return new DomainError('conflict', 'conflict', detail);
}

function notQueued(intentId: string): DomainError {
  return new DomainError('not_found', 'not-found', `${intentId} is not in the review queue.`);
}
