import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isTerminal } from '../../kernel/intent-status.js';
import { AlertsService } from '../alerts/alerts.service.js';
import type { Facts } from '../chains/chains.types.js';
import { MerchantsService } from '../merchants/merchants.service.js';
import { RateBook } from '../rates/rates.types.js';
import { Reviews } from './data/reviews.js';
import { reviewAlert } from './domain/alerts.js';
import type { Intent, Quote } from './domain/model.js';
import { isFinal, matchingRule, paidQuote, reviewReason, uncovered } from './domain/review.js';
import type { Accept } from './domain/settlement.js';

/** What an accept settles: a quote, by the transfers that nothing covers yet. */
export interface Acceptable {
  readonly quote: Quote;
  readonly facts: Facts;
}

interface UnderLock {
  readonly intent: Intent;
  readonly quotes: readonly Quote[];
  readonly facts: Facts;
}

/** Keeps the queue in line with the facts: every terminal intent with money that nothing covers is in it. */
@Injectable()
export class ReviewQueue {
  constructor(
    private readonly reviews: Reviews,
    private readonly merchants: MerchantsService,
    private readonly rates: RateBook,
    private readonly alerts: AlertsService,
  ) {}

  /**
   * Opens, updates or closes the intent's entry, under its lock.
   * @returns what a standing rule of the merchant accepts now, `null` when a person must decide
   */
  async reconcile(tx: EntityManager, locked: UnderLock): Promise<(Acceptable & Accept) | null> {
    const { intent, quotes, facts } = locked;
    if (!isTerminal(intent.status) || facts.transfers.length === 0) return null;
    const covered = await this.reviews.covered(tx, intent.id);
    const open = { ...facts, transfers: uncovered(quotes, facts, covered) };
    const ids = open.transfers.map(({ id }) => id);
    const reason = reviewReason(intent, quotes, open);
    await this.reviews.put(tx, intent, ids, reason);
    // Once a person has decided about part of the money, a rule does not overrule them with the rest.
    const byRule = covered.size === 0 ? await this.matchedByRule(tx, intent, quotes, open) : null;
    // What a rule will accept as soon as it is final asks nobody for a decision.
    if (ids.length === 0) await this.alerts.resolve(tx, 'review-entry', intent.id);
    else if (!byRule) await this.alerts.raise(tx, reviewAlert(intent, reason, ids));
    return byRule && isFinal(byRule.quote, open) ? byRule : null;
  }

  /** What a person may accept: `null` when nothing of any quote is open. */
  async acceptable(tx: EntityManager, { intent, quotes, facts }: UnderLock): Promise<Acceptable | null> {
    const covered = await this.reviews.covered(tx, intent.id);
    const open = { ...facts, transfers: uncovered(quotes, facts, covered) };
    const quote = paidQuote(quotes, open);
    return quote && { quote, facts: open };
  }

  private async matchedByRule(tx: EntityManager, intent: Intent, quotes: readonly Quote[], facts: Facts) {
    const quote = intent.status === 'expired' ? paidQuote(quotes, facts) : null;
    if (!quote) return null;
    const merchant = await this.merchants.find(intent.merchantId, tx);
    if (!merchant) return null;
    const rateNow = this.rates.rate(quote.asset, intent.currency);
    const rule = matchingRule(intent, quote, facts, merchant, rateNow);
    return rule && { quote, facts, actor: `rule:${rule}`, note: `accepted by the standing rule "${rule}"` };
  }
}
