import { Injectable } from '@nestjs/common';
import type { On } from '../../../database/statement.js';
import { fiatValue } from '../../../kernel/crypto-amount.js';
import type { Currency } from '../../../kernel/fiat.js';
import { valueAt } from '../../../kernel/lookups.js';
import { FeePrices } from '../../chains/fees/fee-prices.service.js';
import type { SeenNetwork } from '../../chains/health.types.js';
import { NetworkHealthService } from '../../chains/network-health.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { isReady } from '../../chains/wallets/wallet.pure.js';
import { WalletsService } from '../../chains/wallets/wallets.service.js';
import type { Merchant } from '../../merchants/merchants.types.js';
import { assetTerms, withDepths } from '../../merchants/terms.pure.js';
import { RateBook } from '../../rates/rates.service.js';
import type { Intent } from '../domain/model.js';
import { judgeOption, type Option } from './domain/options.js';

/** With about what the network's fee is worth, in minor units of the intent's currency. */
export interface PricedOption extends Option {
  readonly feeMinor: bigint | null;
}

/** What of a merchant's options is the same for all of its intents at this moment, by network. */
export interface OpenNetworks {
  /** Of those that are open, which assets are not. */
  readonly open: ReadonlyMap<string, SeenNetwork['closedAssets']>;
  /** Of those that it has a wallet on, whether that has been searched for used addresses. */
  readonly searched: ReadonlyMap<string, boolean>;
}

/** What an intent may be paid with at this moment: the merchant's wallets, the networks' health, the rates. */
@Injectable()
export class PaymentOptions {
  constructor(
    private readonly fees: FeePrices,
    private readonly health: NetworkHealthService,
    private readonly networks: NetworksService,
    private readonly wallets: WalletsService,
    private readonly rates: RateBook,
  ) {}

  /** @param networks how all of them are seen, if that has been asked for already */
  async standing(merchantId: string, on?: On, networks?: Promise<SeenNetwork[]>): Promise<OpenNetworks> {
    const [wallets, health] = await Promise.all([
      this.wallets.list(merchantId, on),
      this.health.forMerchant(merchantId, on, networks),
    ]);
    const open = health.filter(({ state }) => state === 'open');
    return {
      open: new Map(open.map(({ network, closedAssets }) => [network, closedAssets])),
      searched: new Map(wallets.map((wallet) => [wallet.network, isReady(wallet)])),
    };
  }

  /**
   * Every asset that the merchant accepts, of every network on which it has a wallet, the closed ones with their
   * reason. The networks have the merchant's depths.
   */
  at({ open, searched }: OpenNetworks, intent: Intent, merchant: Merchant): Option[] {
    return this.networks
      .all()
      .filter((network) => searched.has(network.id))
      .map((network) => withDepths(network, merchant.networkTerms))
      .flatMap((network) =>
        network.assets.flatMap((asset) => {
          const { accepted, minimumMinor } = assetTerms(merchant.networkTerms, network.id, asset.symbol);
          const circumstances = {
            rate: this.rates.rate(asset.symbol, intent.currency),
            networkOpen: open.has(network.id) && valueAt(open, network.id)[asset.symbol] === undefined,
            walletSearched: valueAt(searched, network.id),
            spreadBps: merchant.spreadBps,
            minimumMinor,
          };
          return accepted ? [judgeOption(intent.amountMinor, network, asset, circumstances)] : [];
        }),
      );
  }

  /** The same, for somebody who chooses. */
  async priced(standing: OpenNetworks, intent: Intent, merchant: Merchant): Promise<PricedOption[]> {
    const options = this.at(standing, intent, merchant);
    return Promise.all(
      options.map(async (option) => ({ ...option, feeMinor: await this.feeMinor(option, intent.currency) })),
    );
  }

  private async feeMinor({ network, asset, closed }: Option, currency: Currency): Promise<bigint | null> {
    const coin = network.assets.find(({ contract }) => contract === null);
    if (closed !== null || !coin) return null;
    const rate = this.rates.rate(coin.symbol, currency);
    if (!rate) return null;
    const atoms = await this.fees.transferFee(network, asset);
    return atoms === null ? null : fiatValue(atoms, rate.price, coin.decimals, 'up');
  }
}
