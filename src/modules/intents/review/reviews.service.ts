import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuditAction } from '../../../database/audit-actions.js';
import type { By, Whose } from '../../../database/by.js';
import { DomainError, notFound, wrongField } from '../../../kernel/domain-error.js';
import { characterCount } from '../../../kernel/text/character-count.js';
import { FactsService } from '../../chains/facts.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import type { RefundRequest } from '../checkout.types.js';
import { RefundRequestsRepository } from '../checkout/data/refund-requests.repository.js';
import { presentRequest } from '../checkout/domain/refund-request.js';
import { IntentsRepository, type Locked } from '../data/intents.repository.js';
import { isUnderpaid } from '../domain/money-reason.js';
import { recordedPrice } from '../domain/settlement.js';
import { namesSome } from '../domain/transfers.js';
import { filterOf, isOf } from '../domain/whose.js';
import type { IntentChange } from '../intents.types.js';
import { StatusWriter } from '../lifecycle/status-writer.js';
import type { Backlog } from '../payments.types.js';
import type { Refundable, ReviewDecision, ReviewEntry } from '../reviews.types.js';
import { RefundsRepository } from '../unsettled/data/refunds.repository.js';
import type { ReviewEntryEntity } from '../unsettled/data/review-entry.entity.js';
import { ReviewsRepository } from '../unsettled/data/reviews.repository.js';
import { UnsettledMoneyRepository } from '../unsettled/data/unsettled-money.repository.js';
import type { Acceptable } from '../unsettled/domain/review.js';
import { ReviewQueue } from '../unsettled/review-queue.js';
import { MAX_NOTE } from './domain/decision-note.js';
import { type Refund, refundableText } from './domain/refund.js';
import { readTxid } from './domain/refund-txid.js';
import { describeEntry } from './domain/review-entry.js';
import { RefundClaims } from './refund-claims.js';

/** As many as a person looks through; the queue says so when there are more. */
const MAX_ENTRIES = 500;

export { refundableText, type Refund };

/** An entry with its history. */
export interface ReviewDetail extends ReviewEntry {
  /** Every version that the buyer left, oldest first. All unverified. */
  readonly refundRequests: readonly RefundRequest[];
  readonly decisions: readonly ReviewDecision[];
  /** What a refund may be recorded of; empty while nothing is final. */
  readonly refundable: readonly Refundable[];
}

export interface Acceptance {
  readonly reason: string;
  /**
   * Transfers that the person accepts, each of them open, final and of the quoted asset; without them all such, where
   * they reach the price or nothing else is there.
   */
  readonly seen?: readonly string[] | undefined;
}

/** Ids of transfers. */
export interface Accepted {
  readonly accepted: readonly string[];
  /** Not final yet, not of the quoted asset, or not named. */
  readonly leftInQueue: readonly string[];
}

export interface Dismissal {
  readonly note: string;
  readonly refund?: Refund | undefined;
  /** Transfers that the person saw: the decision is about these, and all of them must still be open. */
  readonly seen?: readonly string[] | undefined;
}

export interface RecordedRefund extends Dismissal {
  readonly refund: Refund;
}

/** The review queue: terminal intents with money that somebody must decide about. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: IntentsRepository,
    private readonly reviews: ReviewsRepository,
    private readonly refunds: RefundsRepository,
    private readonly requests: RefundRequestsRepository,
    private readonly money: UnsettledMoneyRepository,
    private readonly claims: RefundClaims,
    private readonly queue: ReviewQueue,
    private readonly writer: StatusWriter,
    private readonly facts: FactsService,
    private readonly networks: NetworksService,
  ) {}

  /** Punctual money first, then the oldest; at most 500. */
  async list(whose: Whose): Promise<ReviewEntry[]> {
    const entries = await this.reviews.queue(filterOf(whose), MAX_ENTRIES);
    const ids = entries.map((entry) => entry.intentId);
    const [facts, quotes, requests, found] = await Promise.all([
      this.facts.ofEach(this.dataSource, ids),
      this.rows.quotesOf(ids),
      this.requests.of(ids),
      this.rows.findMany(ids),
    ]);
    const intents = new Map(found.map(({ intent }) => [intent.id, intent]));
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
      return [describeEntry(described, this.networks)];
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
  async show(whose: Whose, intentId: string): Promise<ReviewDetail> {
    const entry = await this.reviews.find(intentId);
    const live = entry && (await this.rows.find(intentId));
    if (!live || !isOf(whose, live.intent)) throw notQueued(intentId);
    const [facts, quotes, decisions, requests, refundable] = await Promise.all([
      this.facts.of(this.dataSource, intentId),
      this.rows.quotesOf([intentId]),
      this.reviews.decisions(intentId),
      this.requests.of([intentId]),
      this.claims.refundable(this.dataSource, intentId),
    ]);
    const described = { entry, intent: live.intent, quotes, facts, request: requests.at(-1) };
    return {
      ...describeEntry(described, this.networks),
      refundRequests: requests.map((request) => presentRequest(request, this.networks)),
      decisions,
      refundable,
    };
  }

  /**
   * Settles an expired intent with the money that is final, with all side effects of settling. The rest stays queued,
   * whatever it is: an atom in each block would put a decision off for ever.
   * @throws DomainError `not-found`, `validation-error` without a reason, `conflict` when it is not expired, not
   *   final, or has changed
   */
  async accept({ whose, id: intentId, by }: IntentChange, { reason, seen }: Acceptance): Promise<Accepted> {
    requireText(by.name, 'actor');
    requireText(reason, 'reason');
    return this.underLock(whose, intentId, async (tx, locked) => {
      const entry = await this.reviews.find(intentId, tx);
      if (!entry) throw notQueued(intentId);
      requireUnchanged(entry, seen);
      if (locked.intent.status !== 'expired') {
        throw conflict(
          `An intent that is ${locked.intent.status} cannot be accepted; dismiss it or record a refund.`,
        );
      }
      const acceptable = await this.queue.acceptable(tx, locked, seen);
      if (!acceptable)
        throw conflict('Nothing of the quoted asset has arrived; dismiss it or record a refund.');
      if (acceptable.transfers.length === 0) {
        throw conflict('The money is not final yet. Try again when it has the settlement depth.');
      }
      requireAllFinal(acceptable, seen);
      if (!recordedPrice(acceptable.quote))
        throw conflict(
          'The price of this payment cannot be read. Have its row mended, or send the money back.',
        );
      await this.writer.accept(tx, locked, acceptable, by, reason);
      const accepted = acceptable.transfers.map(({ id }) => id);
      return { accepted, leftInQueue: (await this.reviews.find(intentId, tx))?.transfers ?? [] };
    });
  }

  /**
   * Closes the entry without settling, or, with a refund, its part that was sent back. New money opens it again.
   * @throws DomainError `not-found`, `validation-error`, `conflict` when it has changed
   */
  async dismiss(change: IntentChange, { note, refund, seen }: Dismissal): Promise<void> {
    if (refund) return this.refund(change, { note, refund, seen });
    const { whose, id: intentId, by } = change;
    const { name: actor } = by;
    requireText(actor, 'actor');
    requireText(note, 'note');
    await this.underLock(whose, intentId, async (tx, locked) => {
      const entry = await this.reviews.find(intentId, tx);
      if (!entry) throw notQueued(intentId);
      requireUnchanged(entry, seen);
      const transfers = seen ? [...seen] : entry.transfers;
      await this.reviews.decided(tx, { intentId, kind: 'dismiss', actor, note, transfers });
      await record(tx, by, locked, 'review.dismissed', { note, transfers: namesSome(transfers) });
      await this.queue.reconcile(tx, locked, await this.money.recorded(tx, intentId));
    });
  }

  /**
   * Records what the merchant sent back with its own wallet: of money that is final, beyond the price, and not returned
   * yet, whether it waits in the queue, was dismissed, or is the excess of a settlement. Money of its asset leaves the
   * queue; of another stays in it.
   * @throws DomainError `intent-not-found`, `validation-error` with the field, `conflict` when the entry has changed
   */
  async refund(
    { whose, id: intentId, by }: IntentChange,
    { note, refund, seen }: RecordedRefund,
  ): Promise<void> {
    const { name: actor } = by;
    requireText(actor, 'actor');
    requireText(note, 'note');
    await this.underLock(whose, intentId, async (tx, locked) => {
      const entry = await this.reviews.find(intentId, tx);
      if (entry) requireUnchanged(entry, seen);
      else if (seen) throw notQueued(intentId);
      const { of, atoms, transfers } = await this.claims.claim(tx, intentId, refund, seen);
      const txid = await this.untakenTxid(tx, locked, of.network, refund.txid);
      await this.reviews.decided(
        tx,
        { intentId, kind: 'refund', actor, note, transfers },
        { typed: refund.amount.trim(), money: { ...of, atoms }, txid },
      );
      const amount = `${refund.amount.trim()} ${of.asset}`;
      const told = { amount, network: of.network, txid, note };
      await record(tx, by, locked, 'refund.recorded', told);
      await this.queue.reconcile(tx, locked, await this.money.recorded(tx, intentId));
    });
  }

  /**
   * As the chain writes it, or as it was typed where it is no id of the network's: an exchange has its own.
   * @throws DomainError `validation-error` where it pays a refund that is followed on the chain
   */
  private async untakenTxid(
    tx: EntityManager,
    { intent }: Locked,
    network: string,
    typed: string | null,
  ): Promise<string | null> {
    const text = typed?.trim() ?? '';
    if (text === '') return null;
    const family = this.networks.network(network)?.family;
    const txid = (family && readTxid(family, text)) ?? text;
    if (await this.refunds.isTaken(tx, intent.merchantId, network, txid)) {
      const detail = 'This transaction pays a refund already that is followed on the chain.';
      throw wrongField('txid', detail, 'invalid_refund');
    }
    return txid;
  }

  /** @throws DomainError `not-found` for another merchant's, as for one that is not queued */
  private underLock<Result>(
    whose: Whose,
    intentId: string,
    decision: (tx: EntityManager, locked: Locked) => Promise<Result>,
  ): Promise<Result> {
    return this.writer.underLock(whose, intentId, decision, () => notQueued(intentId));
  }
}

function record(
  tx: EntityManager,
  by: By,
  { intent }: Locked,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  return by.record(tx, { merchantId: intent.merchantId, action, subject: intent.id, detail });
}

function requireText(text: string, name: string): void {
  if (text.trim() === '') throw wrongField(name, `A decision needs a ${name}.`);
  if (characterCount(text) > MAX_NOTE)
    throw wrongField(name, `The ${name} is longer than ${MAX_NOTE} characters.`);
}

/** A decision is about the money that the person saw: it must be there still. What came since stays in the queue. */
function requireUnchanged(entry: ReviewEntryEntity, seen: readonly string[] | undefined): void {
  const waiting = new Set(entry.transfers);
  if (!seen || (seen.length > 0 && seen.every((id) => waiting.has(id)))) return;
  throw conflict('The entry has changed since you looked. Look again before you decide.');
}

/**
 * Nobody takes money for accepted that could still be undone, or a part of it for the whole: who names nothing means all that
 * is there. What is final and reaches the price is that, whatever comes beside it.
 */
function requireAllFinal(
  { quote, transfers, pending }: Acceptable,
  seen: readonly string[] | undefined,
): void {
  const final = new Set(transfers.map(({ id }) => id));
  const isWhole = pending.length === 0 || !isUnderpaid(quote, transfers);
  if (seen ? seen.every((id) => final.has(id)) : isWhole) return;
  throw conflict(
    'Some of this money is not final, or not of the quoted asset. Look again, and accept what is.',
  );
}

function conflict(detail: string): DomainError {
  return new DomainError('conflict', 'conflict', detail);
}

function notQueued(intentId: string): DomainError {
  return notFound(`${intentId} is not in the review queue.`);
}
