import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { NetworkConfig } from '../../../config/config.types.js';
import { isTerminal } from '../../../kernel/intent-status.js';
import type { Facts } from '../../chains/chains.types.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { finalMoney } from '../domain/final-money.js';
import type { Intent, Quote } from '../domain/model.js';
import { excessOf } from '../domain/settlement.js';
import { liveTransfersOf, sumAtoms } from '../domain/transfers.js';
import { RefundsRepository } from '../unsettled/data/refunds.repository.js';
import { ReviewsRepository } from '../unsettled/data/reviews.repository.js';
import { UnsettledMoneyRepository } from '../unsettled/data/unsettled-money.repository.js';
import { keptOf, networksOf, straysOf, waitingOf } from './domain/refund-request.js';

/** What the buyer of an intent may ask back now. */
export interface RefundOffer {
  /** Final transfers about which nobody has decided. The excess of a settlement is in none: nobody decides about that. */
  readonly waiting: readonly string[];
  /** Where what may be asked back came, each once, as far as they are configured. */
  readonly networks: readonly NetworkConfig[];
  /** Whether an open intent holds money that could be asked back if it were final. */
  readonly soon: boolean;
}

interface Asked {
  readonly intent: Intent;
  readonly quotes: readonly Quote[];
  readonly facts: Facts;
}

/**
 * The one rule of what may be asked back, for the page that offers the form and for the post that takes it. Never what is
 * not final (ADR 33). While an intent is open, what belongs to none of its quotes, for that can be no part of its price;
 * once it has ended, what waits for its merchant's decision, and a settlement's excess until it is sent back (ADR 59).
 */
@Injectable()
export class RefundOffers {
  constructor(
    private readonly networks: NetworksService,
    private readonly reviews: ReviewsRepository,
    private readonly refunds: RefundsRepository,
    private readonly money: UnsettledMoneyRepository,
  ) {}

  /** @param on under the intent's lock, where something is written by the answer */
  async of(on: EntityManager, asked: Asked): Promise<RefundOffer> {
    return isTerminal(asked.intent.status) ? this.ofEnded(on, asked) : this.ofOpen(asked);
  }

  private ofOpen(asked: Asked): RefundOffer {
    const strays = straysOf(asked);
    const final = new Set(finalMoney(asked, this.networks).map(({ id }) => id));
    const waiting = strays.map(({ id }) => id).filter((id) => final.has(id));
    const later = strays.filter(({ id, network }) => !final.has(id) && this.networks.network(network));
    return {
      waiting,
      networks: networksOf(waiting, asked.facts, this.networks),
      soon: later.length > 0,
    };
  }

  private async ofEnded(on: EntityManager, asked: Asked): Promise<RefundOffer> {
    const { intent, facts } = asked;
    const entry = await this.reviews.find(intent.id, on);
    const leaving = entry ? await this.refunds.transfersOnTheirWayBack(on, intent.id) : [];
    const waiting = waitingOf(entry, asked, this.networks, leaving);
    const networks = networksOf(waiting, facts, this.networks);
    const excessOn = await this.networkOfExcess(on, asked);
    const also = excessOn !== null && !networks.includes(excessOn) ? [excessOn] : [];
    return { waiting, networks: [...networks, ...also], soon: false };
  }

  /** Where the excess of a settlement lies that is final and neither sent back nor on its way. */
  private async networkOfExcess(
    on: EntityManager,
    { intent, quotes, facts }: Asked,
  ): Promise<NetworkConfig | null> {
    const isOver = (quote: Quote) => excessOf(quote, sumAtoms(liveTransfersOf(quote, facts))) > 0n;
    if (intent.status !== 'settled' || !quotes.some(isOver)) return null;
    const { settled } = await this.money.recorded(on, intent.id);
    const quote = quotes.find(({ id }) => id === settled?.quoteId);
    if (!settled || !quote || settled.excessAtoms === 0n) return null;
    // What the merchant has said that it keeps is refundable too, and is not the excess.
    const kept = keptOf(await this.reviews.decisions(intent.id, on));
    const left = await this.money.refundable(on, intent.id, kept);
    const isLeft = left.some(({ network, asset }) => network === quote.network && asset === quote.asset);
    return isLeft ? this.networks.network(quote.network) : null;
  }
}
