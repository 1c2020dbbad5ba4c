import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isTerminal } from '../../../kernel/intent-status.js';
import { AlertsService } from '../../alerts/alerts.service.js';
import type { Facts, Transfer } from '../../chains/chains.types.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { RateBook } from '../../rates/rates.service.js';
import type { Locked } from '../data/intents.repository.js';
import { finalIn } from '../domain/final-money.js';
import type { Intent, Quote } from '../domain/model.js';
import { leadingReason, paidQuote } from '../domain/money-reason.js';
import { liveTransfersOf } from '../domain/transfers.js';
import { RefundsRepository } from './data/refunds.repository.js';
import { ReviewsRepository } from './data/reviews.repository.js';
import { type RecordedMoney, UnsettledMoneyRepository } from './data/unsettled-money.repository.js';
import { reviewAlert } from './domain/alerts.js';
import { type Acceptable, acceptableOf, matchingRule, uncovered } from './domain/review.js';

/** By which standing rule of the merchant. */
export interface AcceptedByRule extends Pick<Acceptable, 'quote' | 'transfers'> {
  readonly rule: string;
}

/** Keeps the queue in line with the facts: every terminal intent with money that nothing covers is in it. */
@Injectable()
export class ReviewQueue {
  constructor(
    private readonly reviews: ReviewsRepository,
    private readonly money: UnsettledMoneyRepository,
    private readonly refunds: RefundsRepository,
    private readonly merchants: MerchantsService,
    private readonly rates: RateBook,
    private readonly alerts: AlertsService,
    private readonly networks: NetworksService,
  ) {}

  /**
   * Opens, updates or closes the intent's entry, under its lock. What is not there is neither closed nor resolved: after most
   * payments nothing ever is, and each block on top of theirs comes through here.
   * @param recorded under the same lock, with nothing written since of what this writes
   * @returns what a standing rule of the merchant accepts now, `null` when a person must decide
   */
  async reconcile(
    tx: EntityManager,
    { intent, quotes, facts }: Omit<Locked, 'now'>,
    { covered, isQueued, alerts }: RecordedMoney,
  ): Promise<AcceptedByRule | null> {
    if (!isTerminal(intent.status) || facts.transfers.length === 0) return null;
    const open = { ...facts, transfers: uncovered(quotes, facts, covered) };
    const ids = open.transfers.map(({ id }) => id);
    const judged = { intent, quotes, facts: open };
    const reason = leadingReason(open.transfers, judged);
    if (ids.length > 0) await this.reviews.put(tx, intent, ids, reason);
    else if (isQueued) await this.reviews.close(tx, intent.id);
    // Once a person has decided about part of the money, a rule does not overrule them with the rest.
    const isDecided =
      covered.size > 0 || (await this.refunds.transfersOnTheirWayBack(tx, intent.id)).length > 0;
    const { now, later } = isDecided
      ? { now: null, later: false }
      : await this.matchedByRule(tx, intent, quotes, open);
    // As the announcement: by all that came for the intent, what is decided too (ADR 33).
    const final = open.transfers.filter(finalIn({ intent, quotes, facts }, this.networks));
    // What a rule will accept as soon as it is final asks nobody for a decision, and what could be undone no one yet.
    if (final.length === 0) {
      if (alerts.has('review-entry')) await this.alerts.resolve(tx, 'review-entry', intent.id);
    } else if (!now && !later) {
      const finalIds = final.map(({ id }) => id);
      await this.alerts.raise(tx, reviewAlert(intent, leadingReason(final, judged), finalIds));
    }
    return now;
  }

  /**
   * What a person may accept: of the quote that was paid most of what nothing covers, all that is final; no transfers
   * where nothing is yet. What is on its way back to the buyer is not open. `null` when nothing of any quote is.
   * @param seen only these: what came since stays in the queue
   */
  async acceptable(
    tx: EntityManager,
    { intent, quotes, facts }: Omit<Locked, 'now'>,
    seen?: readonly string[],
  ): Promise<Acceptable | null> {
    const recorded = await this.money.recorded(tx, intent.id);
    const leaving = await this.refunds.transfersOnTheirWayBack(tx, intent.id);
    const covered = new Set([...recorded.covered, ...leaving]);
    const named = seen && new Set(seen);
    const transfers = uncovered(quotes, facts, covered).filter(({ id }) => named?.has(id) ?? true);
    return acceptableOf(quotes, { ...facts, transfers });
  }

  /** `now` by what is final alone, whatever else is there; `later` once all of it is. */
  private async matchedByRule(tx: EntityManager, intent: Intent, quotes: readonly Quote[], facts: Facts) {
    const none = { now: null, later: false };
    if (intent.status !== 'expired') return none;
    const merchant = await this.merchants.find(intent.merchantId, tx);
    // What could not be decided and was closed by hand is a person's from then on: a rule would fail as before.
    if (!merchant || (await this.reviews.isClosedByOperator(tx, intent.id))) return none;
    const match = (quote: Quote, transfers: readonly Transfer[]) =>
      matchingRule(intent, quote, transfers, merchant, this.rates.rate(quote.asset, intent.currency));
    const final = acceptableOf(quotes, facts);
    const matched = final && match(final.quote, final.transfers);
    if (matched) {
      const { rule, transfers } = matched;
      return { now: { quote: final.quote, transfers, rule }, later: false };
    }
    const quote = paidQuote(quotes, facts);
    return { ...none, later: quote !== null && match(quote, liveTransfersOf(quote, facts)) !== null };
  }
}
