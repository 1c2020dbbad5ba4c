import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { formatAtoms, missingAtoms } from '../../kernel/crypto-amount.js';
import { formatDecimal } from '../../kernel/decimal.js';
import { DomainError } from '../../kernel/domain-error.js';
import { fiatToNumber } from '../../kernel/fiat.js';
import { mulDiv } from '../../kernel/arithmetic.js';
import { ChainsService } from '../chains/chains.service.js';
import type { Facts } from '../chains/chains.types.js';
import { IntentRows } from './data/read-intents.js';
import type { ReviewDecisionEntity } from './data/review-decision.entity.js';
import type { ReviewEntryEntity } from './data/review-entry.entity.js';
import { Reviews } from './data/reviews.js';
import { checkoutTransfer } from './domain/checkout.js';
import type { Intent, Quote } from './domain/model.js';
import { isFinal, paidQuote } from './domain/review.js';
import { liveTransfersOf, sumAtoms } from './domain/transfers.js';
import type { ReviewEntry } from './intents.types.js';
import { ReviewQueue } from './review-queue.js';
import { StatusWriter } from './status-writer.js';

/** As many as a person looks through; the queue says so when there are more. */
const MAX_ENTRIES = 500;

/** A refund that the merchant made with its own wallet: recorded here, never sent from here. */
export interface Refund {
  readonly amount: string;
  readonly txid: string | null;
}

/** The review queue: terminal intents with money that somebody must decide about. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: IntentRows,
    private readonly reviews: Reviews,
    private readonly queue: ReviewQueue,
    private readonly writer: StatusWriter,
    private readonly chains: ChainsService,
  ) {}

  /** Punctual money first, then the oldest; at most 500. */
  async list(merchantId: string | null): Promise<ReviewEntry[]> {
    const entries = await this.reviews.queue(merchantId, MAX_ENTRIES);
    const ids = entries.map((entry) => entry.intentId);
    const [facts, quotes] = await Promise.all([
      this.chains.factsOf(this.dataSource, ids),
      this.rows.quotesOf(ids),
    ]);
    const intents = new Map((await this.rows.findMany(ids)).map((intent) => [intent.id, intent]));
    return entries.flatMap((entry) => {
      const intent = intents.get(entry.intentId);
      const own = quotes.filter(({ intentId }) => intentId === entry.intentId);
      return intent ? [this.describe(entry, intent, own, facts.get(entry.intentId))] : [];
    });
  }

  /** @throws DomainError `not-found` when the intent is not in the queue */
  async show(intentId: string): Promise<ReviewEntry & { decisions: readonly ReviewDecisionEntity[] }> {
    const entry = await this.reviews.find(intentId);
    const live = entry && (await this.rows.find(intentId));
    if (!live) throw notQueued(intentId);
    const [facts, quotes, decisions] = await Promise.all([
      this.chains.facts(this.dataSource, intentId),
      this.rows.quotesOf([intentId]),
      this.reviews.decisions(intentId),
    ]);
    return { ...this.describe(entry, live.intent, quotes, facts), decisions };
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

  private describe(
    entry: ReviewEntryEntity,
    intent: Intent,
    quotes: readonly Quote[],
    all?: Facts,
  ): ReviewEntry {
    const transfers = all?.transfers.filter(({ id }) => entry.transfers.includes(id)) ?? [];
    const facts: Facts = { transfers, tips: all?.tips ?? new Map() };
    const quote = paidQuote(quotes, facts);
    return {
      intentId: intent.id,
      merchantId: intent.merchantId,
      status: intent.status,
      reason: entry.reason,
      amount: fiatToNumber(intent.amountMinor),
      currency: intent.currency,
      asset: quote?.asset ?? null,
      network: quote?.network ?? null,
      ...(quote ? amountsOf(quote, facts) : NO_AMOUNTS),
      final: quote !== null && isFinal(quote, facts),
      transfers: transfers.map((transfer) => {
        const decimals = this.chains.asset(transfer.network, transfer.asset)?.decimals ?? null;
        return checkoutTransfer(transfer, decimals, facts, this.chains.network(transfer.network));
      }),
      transferIds: entry.transfers,
      openedAt: entry.openedAt,
    };
  }
}

const NO_AMOUNTS = { quoted: null, received: null, missing: null, receivedPercent: null };

function amountsOf(quote: Quote, facts: Facts) {
  const received = sumAtoms(liveTransfersOf(quote, facts));
  return {
    quoted: formatAtoms(quote.amountAtoms, quote.decimals, 'up'),
    received: formatAtoms(received, quote.decimals, 'down'),
    missing: formatAtoms(missingAtoms(quote.amountAtoms, received, quote.toleranceBps), quote.decimals, 'up'),
    receivedPercent: formatDecimal(mulDiv(received, 10_000n, quote.amountAtoms, 'down'), 2),
  };
}

function requireText(text: string, name: string): void {
  if (text.trim() !== '') return;
  throw new DomainError('invalid', 'validation-error', `A decision needs a ${name}.`);
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
