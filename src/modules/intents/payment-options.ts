import { Injectable } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import type { Merchant } from '../merchants/merchants.types.js';
import { RateBook } from '../rates/rates.types.js';
import type { Intent } from './domain/model.js';
import { judgeOption, type Option } from './domain/options.js';

/** What an intent may be paid with at this moment: the merchant's wallets, the networks' health, the rates. */
@Injectable()
export class PaymentOptions {
  constructor(
    private readonly chains: ChainsService,
    private readonly rates: RateBook,
  ) {}

  /** Every asset of every network on which the merchant has a wallet, the closed ones with their reason. */
  async of(intent: Intent, merchant: Merchant): Promise<Option[]> {
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
}
