import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { parsePrice, payable } from '../../../kernel/crypto-amount.js';
import type { Facts, Transfer } from '../../chains/chains.types.js';
import { FactsService } from '../../chains/facts.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { AddressesService } from '../../chains/wallets/addresses.service.js';
import { RefundRequestsRepository } from '../checkout/data/refund-requests.repository.js';
import { shownTransferIn } from '../checkout/domain/checkout.js';
import { presentRequest } from '../checkout/domain/refund-request.js';
import { IntentsRepository } from '../data/intents.repository.js';
import type { Quote } from '../domain/model.js';
import { liveTransfersOf, sumAtoms } from '../domain/transfers.js';
import { IntentsService } from '../lifecycle/intents.service.js';
import type { DetailQuote, DetailSettlement, PaymentDetail } from '../payments.types.js';
import { ReviewsRepository } from '../unsettled/data/reviews.repository.js';
import { PaymentDetailsRepository, type SettlementRow } from './data/payment-details.repository.js';

/** One payment with everything that was recorded of it. */
@Injectable()
export class PaymentDetailsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly intents: IntentsService,
    private readonly rows: IntentsRepository,
    private readonly details: PaymentDetailsRepository,
    private readonly reviews: ReviewsRepository,
    private readonly requests: RefundRequestsRepository,
    private readonly addresses: AddressesService,
    private readonly facts: FactsService,
    private readonly networks: NetworksService,
  ) {}

  /** @throws DomainError `intent-not-found`, also for another merchant's */
  async get(merchantId: string, id: string): Promise<PaymentDetail> {
    const intent = await this.intents.get(merchantId, id); // decides first whether it has lapsed
    const [live, quotes, facts, issued, transitions, settlement, inReview, decisions, requests] =
      await Promise.all([
        this.rows.find(id),
        this.rows.quotesOf([id]),
        this.facts.of(this.dataSource, id),
        this.addresses.issuedTo([id]),
        this.details.transitions(id),
        this.details.settlement(id),
        this.details.reviewReason(id),
        this.reviews.decisions(id),
        this.requests.of([id]),
      ]);
    if (!live) throw new Error('an intent disappeared');
    const shown = shownTransferIn({ intent: live.intent, quotes, facts }, this.networks);
    const places = new Map(issued.map(({ address, place }) => [address, place]));
    const { quoteId, amountMinor, idempotencyKey } = live.intent;
    return {
      intent,
      amountMinor,
      orderKey: idempotencyKey,
      inReview,
      transitions,
      quotes: quotes.map((quote) => ({
        ...this.quote(quote, facts),
        shown: quote.id === quoteId,
        place: places.get(quote.watchedAddress) ?? null,
      })),
      transfers: facts.transfers.map((transfer) => ({ ...shown(transfer), ...recordedOf(transfer) })),
      settlement: settlement && this.settlement(settlement),
      decisions,
      refundRequests: requests.map((request) => presentRequest(request, this.networks)),
    };
  }

  private quote(quote: Quote, facts: Facts): Omit<DetailQuote, 'shown' | 'place'> {
    const { id, network, asset, decimals, address, price, rateAt, spreadBps, toleranceBps, createdAt } =
      quote;
    const { confirmationDepth, settlementDepth, rateSources } = quote;
    return {
      id,
      network,
      asset,
      address,
      price: parsePrice(price),
      rateAt,
      spreadBps,
      toleranceBps,
      createdAt,
      confirmationDepth,
      settlementDepth,
      networkName: this.networks.nameOf(network),
      quoted: payable({ atoms: quote.amountAtoms, decimals }),
      received: { atoms: sumAtoms(liveTransfersOf(quote, facts)), decimals },
      sources: rateSources.map((source) => ({
        source: source.name,
        price: parsePrice(source.price),
        at: new Date(source.at),
      })),
    };
  }

  private settlement(row: SettlementRow): DetailSettlement {
    const { network, asset, price, acceptedBy, acceptReason, at, decimals } = row;
    return {
      network,
      asset,
      price: parsePrice(price),
      acceptedBy,
      acceptReason,
      at,
      networkName: this.networks.nameOf(network),
      received: { atoms: row.receivedAtoms, decimals },
      excess: { atoms: row.excessAtoms, decimals },
      fiatMinor: row.fiatMinor,
      txids: [...new Set(row.transfers.map(({ txid }) => txid))],
    };
  }
}

/** What the buyer's page does not say of it, and its state as it is recorded. */
function recordedOf({ id, state, address, blockHeight, blockTime, firstSeenAt, ...of }: Transfer) {
  const { missingSince, superseded, own, beforeIssue } = of;
  const seen = { blockHeight, blockTime, firstSeenAt, missingSince };
  return { id, state, address, ...seen, superseded, own, beforeIssue };
}
