import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isTerminal } from '../../../kernel/intent-status.js';
import type { Facts } from '../../chains/chains.types.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import type { CheckoutRefunds } from '../checkout.types.js';
import type { Intent, Quote } from '../domain/model.js';
import { RefundsRepository } from '../unsettled/data/refunds.repository.js';
import { ReviewsRepository } from '../unsettled/data/reviews.repository.js';
import { UnsettledMoneyRepository } from '../unsettled/data/unsettled-money.repository.js';
import { RefundRequestsRepository } from './data/refund-requests.repository.js';
import { presentRequest, straysOf } from './domain/refund-request.js';
import { refundSums, toldRefunds } from './domain/told-refunds.js';
import { RefundOffers } from './refund-offers.service.js';

/** Money that arrived and is no part of the price: what its buyer is told. */
@Injectable()
export class CheckoutRefundsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly networks: NetworksService,
    private readonly reviews: ReviewsRepository,
    private readonly requests: RefundRequestsRepository,
    private readonly refunds: RefundsRepository,
    private readonly money: UnsettledMoneyRepository,
    private readonly offers: RefundOffers,
  ) {}

  async of(intent: Intent, quotes: readonly Quote[], facts: Facts): Promise<CheckoutRefunds | null> {
    const asked = { intent, quotes, facts };
    // Of most open intents there is nothing to ask.
    const mayHave = isTerminal(intent.status) ? facts.transfers.length > 0 : straysOf(asked).length > 0;
    if (!mayHave) return null;
    const [{ waiting, networks, soon }, decisions, requests] = await Promise.all([
      this.offers.of(this.dataSource.manager, asked),
      this.reviews.decisions(intent.id),
      this.requests.of([intent.id]),
    ]);
    // After the decisions: what becomes one meanwhile is told once.
    const followed = await this.refunds.ofIntent(intent.id);
    const told = toldRefunds(decisions, followed, this.networks);
    const last = decisions.at(-1);
    // Of money that could still be undone there is nothing to decide, and nothing to send back.
    const isOffered = networks.length > 0 || waiting.length > 0 || soon;
    if (!isOffered && told.length === 0 && (!last || last.kind === 'accept')) return null;
    const refundable = told.length === 0 ? [] : await this.money.refundable(this.dataSource, intent.id);
    return {
      open: waiting.length > 0,
      soon,
      networks: networks.map(({ id, name }) => ({ network: id, networkName: name })),
      requests: requests.map((request) => presentRequest(request, this.networks)),
      refunds: told.map(({ refund }) => refund),
      sums: refundSums(told, refundable, this.networks),
      closedAt: waiting.length > 0 ? null : (last?.createdAt ?? null),
    };
  }
}
