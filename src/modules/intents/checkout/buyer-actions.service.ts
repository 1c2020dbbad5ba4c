import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ANYBODYS } from '../../../database/by.js';
import { pipelined } from '../../../database/statement.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isId, newId } from '../../../kernel/ids.js';
import { isOpen } from '../../../kernel/intent-status.js';
import { AddressesService } from '../../chains/wallets/addresses.service.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import type { Merchant } from '../../merchants/merchants.types.js';
import { priceText } from '../../rates/rates.pure.js';
import { IntentsRepository } from '../data/intents.repository.js';
import type { Intent } from '../domain/model.js';
import { settlementDepth } from '../domain/quoting.js';
import { intentNotFound } from '../intents.errors.js';
import { StatusWriter } from '../lifecycle/status-writer.js';
import { mayCancel, maySwitch } from './domain/checkout.js';
import type { Option } from './domain/options.js';
import { PaymentOptions } from './payment-options.js';

/** What became of a buyer's wish; the page says it in words. */
export type PickOutcome = 'picked' | 'option-closed' | 'too-late' | 'cannot-switch';
export type CancelOutcome = 'cancelled' | 'cannot-cancel';

/** What a buyer may do. Each wish is judged under the intent's lock, by what is true then. */
@Injectable()
export class BuyerActionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: IntentsRepository,
    private readonly writer: StatusWriter,
    private readonly merchants: MerchantsService,
    private readonly addresses: AddressesService,
    private readonly options: PaymentOptions,
  ) {}

  /**
   * Picks an asset: derives an address and fixes the rate, or comes back to a quote that was made before.
   * @throws DomainError `intent-not-found`
   */
  async pick(id: string, networkId: string, symbol: string): Promise<PickOutcome> {
    const found = await this.rows.find(requireId(id));
    if (!found) throw intentNotFound();
    // All of this is asked before the lock: whoever holds it must never wait for a second connection, which those
    // who wait for the lock may have taken.
    const { merchantId } = found.intent;
    const [merchant, standing] = await pipelined(this.dataSource, (on) =>
      Promise.all([this.merchants.get(merchantId, on), this.options.standing(merchantId, on)]),
    );
    const option = this.options
      .at(standing, found.intent, merchant)
      .find(({ network, asset }) => network.id === networkId && asset.symbol === symbol);
    const picking = this.writer.underLock<PickOutcome>(
      ANYBODYS,
      id,
      async (tx, { intent, quotes, facts }) => {
        if (!isOpen(intent.status)) return 'too-late';
        const again = quotes.find((quote) => quote.network === networkId && quote.asset === symbol);
        if (again?.id === intent.quoteId) return 'picked';
        if (!maySwitch(intent, quotes, facts)) return 'cannot-switch';
        if (merchant.status !== 'approved' || !option) return 'option-closed';
        // A quote that was made before keeps its rate, but nobody is sent where we cannot see.
        if (again ? option.closed === 'network_unavailable' : option.closed) return 'option-closed';
        if (again) await this.writer.showQuote(tx, intent, again.id);
        else await this.quote(tx, intent, merchant, option);
        return 'picked';
      },
    );
    return picking.catch((error: unknown) => {
      // Of one address alone, which no other takes the place of: the buyer has the other options.
      if (error instanceof DomainError && error.code === 'address-named') return 'option-closed';
      throw error;
    });
  }

  /**
   * The buyer calls it off: only while nothing has arrived.
   * @throws DomainError `intent-not-found`
   */
  async cancel(id: string): Promise<CancelOutcome> {
    return this.writer.underLock(ANYBODYS, requireId(id), async (tx, locked) => {
      const { intent, quotes, facts } = locked;
      if (intent.status === 'cancelled') return 'cancelled';
      if (!mayCancel(intent, quotes, facts)) return 'cannot-cancel';
      await this.writer.cancel(tx, locked, { cause: 'cancelled-by-buyer', by: null });
      return 'cancelled';
    });
  }

  private async quote(tx: EntityManager, intent: Intent, merchant: Merchant, option: Option): Promise<void> {
    const { network, asset, rate, amountAtoms } = option;
    if (!rate || amountAtoms === null) throw new Error('an open option has a rate');
    const issued = await this.addresses.issue(tx, {
      merchantId: merchant.id,
      network: network.id,
      asset: asset.symbol,
      subject: intent.id,
      confirmationDepth: network.confirmationDepth,
    });
    await this.writer.quote(tx, {
      id: newId('quo'),
      intentId: intent.id,
      network: network.id,
      asset: asset.symbol,
      decimals: asset.decimals,
      amountAtoms,
      ...issued,
      price: priceText(rate.price),
      rateSources: [...rate.sources],
      rateAt: rate.at,
      spreadBps: merchant.spreadBps,
      toleranceBps: merchant.toleranceBps,
      confirmationDepth: network.confirmationDepth,
      settlementDepth: settlementDepth(network, intent.amountMinor),
      settlementDepths: network.settlementDepths,
    });
  }
}

function requireId(id: string): string {
  if (isId('pi', id)) return id;
  throw intentNotFound();
}
