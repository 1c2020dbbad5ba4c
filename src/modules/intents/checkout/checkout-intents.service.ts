import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseClock } from '../../../database/clock.js';
import { isId } from '../../../kernel/ids.js';
import { isOpen } from '../../../kernel/intent-status.js';
import { ChainsService } from '../../chains/chains.service.js';
import type { Facts } from '../../chains/chains.types.js';
import { depositWords } from '../../chains/deposit-words.pure.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import type { Merchant } from '../../merchants/merchants.types.js';
import { IntentRows } from '../data/intents.repository.js';
import { UnsettledMoneyRows } from '../unsettled/data/unsettled-money.repository.js';
import { undone } from '../unsettled/domain/alerts.js';
import {
  checkoutQuote,
  shownTransferIn,
  droppedTransfers,
  mayCancel,
  isWithheld,
  maySwitch,
  otherTransfers,
} from './domain/checkout.js';
import type { Intent, Quote } from '../domain/model.js';
import { returnTarget } from '../domain/return-url.js';
import type { CheckoutIntent, PaymentOption } from '../intents.types.js';
import { PaymentOptions, type PricedOption } from './payment-options.js';
import { CheckoutRefundsService } from './checkout-refunds.service.js';
import { StatusWriter, type Locked } from '../lifecycle/status-writer.js';

/** The intent as the buyer's page knows it. */
@Injectable()
export class CheckoutIntentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: IntentRows,
    private readonly writer: StatusWriter,
    private readonly merchants: MerchantsService,
    private readonly chains: ChainsService,
    private readonly options: PaymentOptions,
    private readonly refunds: CheckoutRefundsService,
    private readonly money: UnsettledMoneyRows,
    private readonly clock: DatabaseClock,
  ) {}

  /** With its live status, like every read. `null` for an unknown id. */
  async find(id: string): Promise<CheckoutIntent | null> {
    if (!isId('pi', id)) return null;
    let found = await this.rows.find(id);
    if (found?.lapsed) {
      await this.writer.advance(id);
      found = await this.rows.find(id);
    }
    if (!found) return null;
    const { intent } = found;
    const [quotes, facts, merchant, now] = await Promise.all([
      this.rows.quotesOf([id]),
      this.chains.facts(this.dataSource, id),
      this.merchants.get(intent.merchantId),
      this.clock.now(),
    ]);
    return this.describe({ intent, quotes, facts, now }, merchant);
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
    const [revisions, facts] = await Promise.all([
      this.rows.revisions(ids),
      this.chains.factsOf(this.dataSource, ids),
    ]);
    return new Map([...revisions].map(([id, revision]) => [id, revision + factsRevision(facts.get(id))]));
  }

  private async describe(
    { intent, quotes, facts, now }: Locked,
    merchant: Merchant,
  ): Promise<CheckoutIntent> {
    const shown = quotes.find((quote) => quote.id === intent.quoteId) ?? null;
    const network = shown && this.chains.network(shown.network);
    const asset = shown && this.chains.asset(shown.network, shown.asset);
    const accepting = merchant.status === 'approved';
    const switchable = maySwitch(intent, quotes, facts);
    const present = shownTransferIn({ intent, quotes, facts }, this.chains);
    const [options, refunds, unseen, settlementUndone, forwarded] = await Promise.all([
      switchable && accepting ? this.options.priced(intent, merchant) : [],
      this.refunds.of(intent, quotes, facts),
      shown !== null && isOpen(intent.status) && this.chains.isAnyUnseen(this.dataSource, [shown]),
      this.isUndone(intent, facts),
      shown?.family === 'evm' ? this.forwarded(intent, shown) : null,
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
      quote:
        shown && network && asset
          ? checkoutQuote(intent, shown, facts, network, this.chains, (atoms) => ({
              ...this.chains.paymentUris(network, asset, shown.address, atoms),
              call: this.chains.transferCall(network, asset, shown.address, atoms),
            }))
          : null,
      unseen,
      forwarded,
      otherTransfers: otherTransfers(intent, shown, quotes, facts).map(present),
      dropped: droppedTransfers(intent, shown, facts).map(present),
      maySwitch: switchable && accepting,
      mayCancel: mayCancel(intent, quotes, facts),
      refunds,
      settlingWithheld: isWithheld(intent, shown, facts),
      settlementUndone,
      now,
    };
  }

  private async forwarded({ id }: Intent, quote: Quote): Promise<CheckoutIntent['forwarded']> {
    const issued = await this.chains.issuedTo(id);
    const place = issued.find(({ address }) => address === quote.watchedAddress)?.place;
    return place && 'salt' in place ? { ...place, saltOf: depositWords({ ...quote, subject: id }) } : null;
  }

  private async isUndone({ id, status }: Intent, facts: Facts): Promise<boolean> {
    if (status !== 'settled') return false;
    const { settledTransfers } = await this.money.recorded(this.dataSource.manager, id);
    return undone(settledTransfers, facts).length > 0;
  }
}

function factsRevision(facts: Facts | undefined): string {
  if (!facts) return '';
  const moving = facts.transfers.filter((transfer) => transfer.state !== 'replaced');
  const depths = moving.map(({ network, state, id, blockHeight }) => [
    id,
    state,
    blockHeight,
    facts.tips.get(network)?.height,
  ]);
  return JSON.stringify(depths);
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
