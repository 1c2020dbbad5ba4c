import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';
import { formatAtoms } from '../../kernel/crypto-amount.js';
import { isId, newId } from '../../kernel/ids.js';
import { ChainsService } from '../chains/chains.service.js';
import type { Facts } from '../chains/chains.types.js';
import { MerchantsService } from '../merchants/merchants.service.js';
import type { Merchant } from '../merchants/merchants.types.js';
import { RateBook } from '../rates/rates.types.js';
import { QuoteEntity } from './data/quote.entity.js';
import { IntentRows, isOpen } from './data/read-intents.js';
import {
  checkoutQuote,
  checkoutTransfer,
  hasLiveMoney,
  hasLivePayment,
  otherTransfers,
} from './domain/checkout.js';
import type { Intent, Quote } from './domain/model.js';
import { judgeOption, settlementDepth, type Option } from './domain/options.js';
import type { CheckoutIntent, PaymentOption } from './intents.types.js';
import { returnTarget } from './domain/return-url.js';
import { StatusWriter, type Locked } from './status-writer.js';
import { DatabaseClock } from '../../database/clock.js';

/** What became of a buyer's wish; the page says it in words. */
export type PickOutcome = 'picked' | 'option-closed' | 'too-late' | 'cannot-switch';
export type CancelOutcome = 'cancelled' | 'cannot-cancel';

/** The intent as the buyer's page knows it, and the two things that a buyer may do. */
@Injectable()
export class CheckoutIntentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: IntentRows,
    private readonly writer: StatusWriter,
    private readonly merchants: MerchantsService,
    private readonly chains: ChainsService,
    private readonly rates: RateBook,
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

  /**
   * Picks an asset: derives an address and fixes the rate, or comes back to a quote that was made before.
   * @throws DomainError `intent-not-found`
   */
  async pick(id: string, networkId: string, symbol: string): Promise<PickOutcome> {
    const found = await this.rows.find(requireId(id));
    if (!found) throw notFound();
    // All of this is asked before the lock: whoever holds it must never wait for a second connection, which those
    // who wait for the lock may have taken.
    const merchant = await this.merchants.get(found.intent.merchantId);
    const option = (await this.options(found.intent, merchant)).find(
      ({ network, asset }) => network.id === networkId && asset.symbol === symbol,
    );
    return this.writer.within(id, async (tx, locked) => {
      const { intent, quotes } = locked;
      if (!isOpen(intent.status)) return 'too-late';
      const again = quotes.find((quote) => quote.network === networkId && quote.asset === symbol);
      if (again?.id === intent.quoteId) return 'picked';
      if (!maySwitch(locked)) return 'cannot-switch';
      if (merchant.status !== 'approved' || !option) return 'option-closed';
      // A quote that was made before keeps its rate, but nobody is sent where we cannot see.
      if (again ? option.closed === 'network_unavailable' : option.closed) return 'option-closed';
      await this.writer.show(tx, intent, again?.id ?? (await this.quote(tx, intent, merchant, option)));
      return 'picked';
    });
  }

  /**
   * The buyer calls it off: only while nothing has arrived.
   * @throws DomainError `intent-not-found`
   */
  async cancel(id: string): Promise<CancelOutcome> {
    return this.writer.within(requireId(id), async (tx, locked) => {
      const { status } = locked.intent;
      if (status === 'cancelled') return 'cancelled';
      if (!isOpen(status) || hasLiveMoney(locked.quotes, locked.facts)) return 'cannot-cancel';
      await this.writer.walk(tx, locked, [{ from: status, to: 'cancelled', cause: 'cancelled-by-buyer' }]);
      return 'cancelled';
    });
  }

  private async quote(
    tx: EntityManager,
    intent: Intent,
    merchant: Merchant,
    option: Option,
  ): Promise<string> {
    const { network, asset, rate, amountAtoms } = option;
    if (!rate || amountAtoms === null) throw new Error('an open option has a rate');
    const issued = await this.chains.issueAddress(tx, {
      merchantId: merchant.id,
      network: network.id,
      subject: intent.id,
    });
    const id = newId('quo');
    await tx.insert(QuoteEntity, {
      id,
      intentId: intent.id,
      network: network.id,
      asset: asset.symbol,
      decimals: asset.decimals,
      amountAtoms,
      ...issued,
      price: rate.price,
      rateSources: [...rate.sources],
      rateAt: rate.at,
      spreadBps: merchant.spreadBps,
      toleranceBps: merchant.toleranceBps,
      confirmationDepth: network.confirmationDepth,
      settlementDepth: settlementDepth(network, intent.amountMinor),
    });
    return id;
  }

  private async options(intent: Intent, merchant: Merchant): Promise<Option[]> {
    const [withWallet, health] = await Promise.all([
      this.chains.walletNetworks(merchant.id),
      this.chains.health(),
    ]);
    const open = new Set(health.filter(({ state }) => state === 'open').map(({ network }) => network));
    return this.chains
      .networks()
      .filter((network) => withWallet.includes(network.id))
      .flatMap((network) =>
        network.assets.map((asset) =>
          judgeOption(intent.amountMinor, network, asset, {
            rate: this.rates.rate(asset.symbol, intent.currency),
            networkOpen: open.has(network.id),
            spreadBps: merchant.spreadBps,
          }),
        ),
      );
  }

  private async describe(locked: Locked, merchant: Merchant): Promise<CheckoutIntent> {
    const { intent, quotes, facts, now } = locked;
    const shown = quotes.find((quote) => quote.id === intent.quoteId) ?? null;
    const network = shown && this.chains.network(shown.network);
    const asset = shown && this.chains.asset(shown.network, shown.asset);
    const accepting = merchant.status === 'approved';
    const switchable = maySwitch(locked);
    const options = switchable && accepting ? await this.options(intent, merchant) : [];
    return {
      id: intent.id,
      status: intent.status,
      amountMinor: intent.amountMinor,
      currency: intent.currency,
      title: intent.title,
      merchant: { name: merchant.name, supportContact: merchant.supportContact, accepting },
      returnUrl: intent.returnUrl,
      createdAt: intent.createdAt,
      expiresAt: intent.expiresAt,
      confirmedAt: intent.confirmedAt,
      settledAt: intent.settledAt,
      options: options.map(presentOption),
      quote:
        shown && network && asset
          ? checkoutQuote(intent, shown, facts, network, (atoms) =>
              this.chains.paymentUris(network, asset, shown.address, atoms),
            )
          : null,
      otherTransfers: this.describeOthers(shown, quotes, facts),
      maySwitch: switchable && accepting,
      mayCancel: isOpen(intent.status) && !hasLiveMoney(quotes, facts),
      settlingWithheld: intent.status === 'confirmed' && isWithheld(shown, facts),
      now,
    };
  }

  private describeOthers(shown: Quote | null, quotes: readonly Quote[], facts: Facts) {
    return otherTransfers(shown, quotes, facts).map((transfer) => {
      const network = this.chains.network(transfer.network);
      const decimals = this.chains.asset(transfer.network, transfer.asset)?.decimals ?? null;
      return checkoutTransfer(transfer, decimals, facts, network);
    });
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

function maySwitch({ intent, quotes, facts }: Locked): boolean {
  return isOpen(intent.status) && !hasLivePayment(quotes, facts);
}

/** A transfer of the completion is in no block just now, so settling waits although the status stays. */
function isWithheld(shown: Quote | null, facts: Facts): boolean {
  return facts.transfers.some((t) => t.address === shown?.watchedAddress && t.state === 'orphaned');
}

function presentOption({ network, asset, amountAtoms, closed }: Option): PaymentOption {
  return {
    network: network.id,
    networkName: network.name,
    asset: asset.symbol,
    amount: amountAtoms === null ? null : formatAtoms(amountAtoms, asset.decimals, 'up'),
    closed,
  };
}

function requireId(id: string): string {
  if (isId('pi', id)) return id;
  throw notFound();
}

function notFound(): DomainError {
  return new DomainError('not_found', 'intent-not-found', 'There is no such payment intent.');
}
