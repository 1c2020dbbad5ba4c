import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseClock } from '../../../database/clock.js';
import { pipelined } from '../../../database/statement.js';
import { isId } from '../../../kernel/ids.js';
import { valueAt } from '../../../kernel/lookups.js';
import type { Facts } from '../../chains/chains.types.js';
import { saltPreimage } from '../../chains/deposit-salt.pure.js';
import { FactsService } from '../../chains/facts.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { paymentUris } from '../../chains/outgoing/payment-uri.pure.js';
import { transferCall } from '../../chains/outgoing/transfer-call.pure.js';
import type { Merchant } from '../../merchants/merchants.types.js';
import type { CheckoutIntent, PaymentOption } from '../checkout.types.js';
import { IntentsRepository, type LiveIntent, type Locked } from '../data/intents.repository.js';
import type { Intent, Quote } from '../domain/model.js';
import { returnTarget } from '../domain/return-url.js';
import { StatusWriter } from '../lifecycle/status-writer.js';
import { UnsettledMoneyRepository } from '../unsettled/data/unsettled-money.repository.js';
import { undone } from '../unsettled/domain/alerts.js';
import { CheckoutRefundsService } from './checkout-refunds.service.js';
import {
  checkoutQuote,
  droppedTransfers,
  isWithheld,
  mayCancel,
  maySwitch,
  otherTransfers,
  shownTransferIn,
} from './domain/checkout.js';
import { PaymentOptions, type PricedOption } from './payment-options.js';
import { type Shared, SharedFacts } from './shared-facts.js';

/** An intent with the quote that its page shows. */
interface Shown {
  readonly shown: Quote | null;
}

/** What a page asks for beside what it always shows. */
interface Wanted {
  /** Ways to pay, although there is a quote that can be paid. */
  readonly options?: boolean;
}

/** The intent as the buyer's page knows it. */
@Injectable()
export class CheckoutIntentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: IntentsRepository,
    private readonly writer: StatusWriter,
    private readonly facts: FactsService,
    private readonly networks: NetworksService,
    private readonly options: PaymentOptions,
    private readonly sharedFacts: SharedFacts,
    private readonly refunds: CheckoutRefundsService,
    private readonly money: UnsettledMoneyRepository,
    private readonly clock: DatabaseClock,
  ) {}

  /** With its live status, like every read. `null` for an unknown id. */
  async find(id: string, wanted: Wanted = {}): Promise<CheckoutIntent | null> {
    if (!isId('pi', id)) return null;
    let found = await this.rows.find(id);
    if (found?.lapsed) {
      await this.writer.advance(id);
      found = await this.rows.find(id);
    }
    return found && valueAt(await this.described([found], wanted), id);
  }

  /** For whoever needs nothing else of it. */
  async exists(id: string): Promise<boolean> {
    return isId('pi', id) && this.rows.exists(id);
  }

  /** Those that there are, as `find` tells them. What they share is asked for once. */
  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, CheckoutIntent>> {
    const found = await this.rows.findMany(ids);
    const pages = new Map(await this.described(found.filter(({ lapsed }) => !lapsed)));
    // Of these there is something to decide first.
    for (const { intent } of found.filter(({ lapsed }) => lapsed)) {
      const page = await this.find(intent.id);
      if (page) pages.set(intent.id, page);
    }
    return pages;
  }

  /** Where the buyer returns to, with the live status; `null` without a return URL or without an intent. */
  async returnTarget(id: string): Promise<string | null> {
    const intent = await this.find(id);
    return intent?.returnUrl ? returnTarget(intent.returnUrl, id, intent.status) : null;
  }

  /**
   * Short texts that change when the page of an intent would: for all open pages two queries, however many there
   * are. Rates and the health of networks are not in it.
   */
  async revisions(ids: readonly string[]): Promise<Map<string, string>> {
    const [revisions, facts] = await Promise.all([this.rows.revisions(ids), this.facts.revisions(ids)]);
    return new Map([...revisions].map(([id, revision]) => [id, `${revision} ${facts.get(id) ?? ''}`]));
  }

  private async described(
    found: readonly LiveIntent[],
    wanted: Wanted = {},
  ): Promise<ReadonlyMap<string, CheckoutIntent>> {
    const ids = found.map(({ intent }) => intent.id);
    const asking = pipelined(this.dataSource, (on) =>
      Promise.all([this.rows.quotesOf(ids, on), this.facts.ofEach(on, ids), this.sharedFacts.ask(found, on)]),
    );
    const [[quotes, facts, asked], now] = await Promise.all([asking, this.clock.now()]);
    const pages = found.map(({ intent }) => ({
      intent,
      quotes: quotes.filter(({ intentId }) => intentId === intent.id),
      facts: valueAt(facts, intent.id),
      now,
      shown: quotes.find(({ id }) => id === intent.quoteId) ?? null,
    }));
    const shared = this.sharedFacts.of(asked);
    const described = pages.map(
      async (page) => [page.intent.id, await this.describe(page, shared, wanted)] as const,
    );
    return new Map(await Promise.all(described));
  }

  private async describe(
    { intent, quotes, facts, now, shown }: Locked & Shown,
    shared: Shared,
    wanted: Wanted,
  ): Promise<CheckoutIntent> {
    const merchant = shared.merchant(intent.merchantId);
    const network = shown && this.networks.network(shown.network);
    const asset = shown && this.networks.asset(shown.network, shown.asset);
    const accepting = merchant.status === 'approved';
    const mayPick = maySwitch(intent, quotes, facts) && accepting;
    const present = shownTransferIn({ intent, quotes, facts }, this.networks);
    const quote =
      shown && network && asset
        ? checkoutQuote(intent, shown, facts, network, this.networks, (atoms) => ({
            ...paymentUris(network, asset, shown.address, atoms),
            call: transferCall(network, asset, shown.address, atoms),
          }))
        : null;
    const unseen = shared.isUnseen(intent.id);
    const optionsShown = async () =>
      mayPick && (wanted.options || quote === null || unseen)
        ? this.options.priced(await shared.standing(merchant.id), intent, merchant)
        : [];
    const [options, refunds, settlementUndone] = await Promise.all([
      optionsShown(),
      this.refunds.of(intent, quotes, facts),
      this.isUndone(intent, facts),
    ]);
    return {
      id: intent.id,
      status: intent.status,
      amountMinor: intent.amountMinor,
      currency: intent.currency,
      title: intent.title,
      merchant: presentMerchant(merchant, accepting),
      returnUrl: intent.returnUrl,
      createdAt: intent.createdAt,
      expiresAt: intent.expiresAt,
      confirmedAt: intent.confirmedAt,
      settledAt: intent.settledAt,
      options: options.map(presentOption),
      quote,
      unseen,
      forwarded: shown && forwarded(shown, shared),
      otherTransfers: otherTransfers(intent, shown, quotes, facts).map(present),
      dropped: droppedTransfers(intent, shown, facts).map(present),
      maySwitch: mayPick,
      mayCancel: mayCancel(intent, quotes, facts),
      refunds,
      settlingWithheld: isWithheld(intent, shown, facts),
      settlementUndone,
      now,
    };
  }

  private async isUndone({ id, status }: Intent, facts: Facts): Promise<boolean> {
    if (status !== 'settled') return false;
    const { settledTransfers } = await this.money.recorded(this.dataSource.manager, id);
    return undone(settledTransfers, facts).length > 0;
  }
}

function forwarded(quote: Quote, shared: Shared): CheckoutIntent['forwarded'] {
  const place = shared.placeOf(quote);
  return place && 'salt' in place
    ? { ...place, saltOf: saltPreimage({ ...quote, subject: quote.intentId }) }
    : null;
}

function presentOption({
  network,
  asset,
  amountAtoms,
  expectedSettleS,
  closed,
  feeMinor,
}: PricedOption): PaymentOption {
  return {
    network: network.id,
    networkName: network.name,
    asset: asset.symbol,
    amount: amountAtoms === null ? null : { atoms: amountAtoms, decimals: asset.decimals },
    expectedSettleS,
    feeMinor,
    closed,
  };
}

function presentMerchant(
  { name, supportContact, color, logo }: Merchant,
  accepting: boolean,
): CheckoutIntent['merchant'] {
  return { name, supportContact, accepting, face: { color, logo } };
}
