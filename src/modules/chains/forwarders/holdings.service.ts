import { Inject, Injectable } from '@nestjs/common';
import { type Address, encodeFunctionData, getAddress, zeroAddress } from 'viem';
import { type AssetConfig, CONFIG, type Config } from '../../../config/config.types.js';
import { hexOf } from '../../../kernel/text/hex.js';
import type { AskedCollection } from '../domain/asked-collections.js';
import { depositSalt, forwarderAddress } from '../domain/forwarder-address.js';
import { forwarderFactory } from '../forwarders.types.js';
import { HoldingsRepository } from './data/holdings.repository.js';
import type { CollectCall, Collected, Holding, KeyHolding } from './holdings.types.js';

/** What lies on a merchant's addresses, and how it is collected from those without keys. */
@Injectable()
export class HoldingsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly rows: HoldingsRepository,
  ) {}

  /** Where something lies now, on networks of this instance; with `alsoEmpty`, wherever something ever lay. */
  holdings(merchantId: string, { alsoEmpty = false } = {}): Promise<Holding[]> {
    return this.rows.holdings(merchantId, this.networks(), !alsoEmpty);
  }

  /**
   * Where an asset may lie that came for payments of which the database knows nothing any more: their addresses follow from
   * their ids, from what may have been picked, and from where the merchant's money goes. Nothing is said of what lies there.
   */
  async forgotten(
    merchantId: string,
    { network, asset }: Pick<Holding, 'network' | 'asset'>,
    subjects: readonly string[],
  ): Promise<Holding[]> {
    const nothing = { heldAtoms: 0n, finalAtoms: 0n, collectedAtoms: 0n, finalCollectedAtoms: 0n };
    const picked = this.config.networks
      .filter(({ family }) => family === 'evm')
      .flatMap(({ id, assets }) => assets.map(({ symbol }) => ({ network: id, asset: symbol })));
    return (await this.destinations(merchantId)).flatMap(({ destination, factory }) =>
      subjects.flatMap((subject) =>
        picked.map((place) => {
          const salt = depositSalt({ subject, ...place });
          const address = forwarderAddress(destination, salt);
          const of = { network, asset, address, subject, salt, destination, factory };
          return { ...of, ...nothing, isDeployed: false };
        }),
      ),
    );
  }

  /**
   * The merchant's deposit addresses that calls ask to pay out on a network, whatever lies there: they follow from where its
   * money goes.
   */
  async askedOf(
    merchantId: string,
    networkId: string,
    asked: readonly AskedCollection[],
  ): Promise<{ readonly asset: AssetConfig; readonly addresses: readonly Address[] }[]> {
    const own = new Set((await this.destinations(merchantId)).map(({ destination }) => destination));
    const assets = this.config.networks.find(({ id }) => id === networkId)?.assets ?? [];
    return assets.flatMap((asset) => {
      const token = getAddress(asset.contract ?? zeroAddress);
      const addresses = asked
        .filter((call) => call.token === token && own.has(call.destination))
        .flatMap(({ destination, salts }) => salts.map((salt) => forwarderAddress(destination, salt)));
      return addresses.length === 0 ? [] : [{ asset, addresses: [...new Set(addresses)] }];
    });
  }

  ofKeys(merchantId: string): Promise<KeyHolding[]> {
    return this.rows.ofKeys(merchantId, this.networks());
  }

  /** The latest first. */
  collected(merchantId: string, most: number): Promise<Collected[]> {
    return this.rows.collected(merchantId, this.networks(), most);
  }

  /** What this transaction collected for the merchant, asset by asset; nothing while no block holds it. */
  collectedBy(merchantId: string, txid: string): Promise<Collected[]> {
    return this.rows.collected(merchantId, this.networks(), 100, txid.toLowerCase());
  }

  /** Whether the address was given to a buyer for this very asset and network. */
  isExpected({ subject, network, asset, salt }: Holding): boolean {
    return depositSalt({ subject, network, asset }) === salt;
  }

  /** The call that pays out all of an asset from these deposit addresses, whoever sends it. */
  collectCall(asset: AssetConfig, from: readonly [Holding, ...Holding[]]): CollectCall {
    const [{ destination, factory }] = from;
    if (from.some((one) => one.destination !== destination || one.factory !== factory))
      throw new Error('one call collects for one destination alone');
    const token = hexOf(asset.contract ?? zeroAddress);
    const salts = from.map(({ salt }) => salt);
    const args = [destination, token, salts] as const;
    return { to: factory, data: encodeFunctionData({ ...forwarderFactory, functionName: 'collect', args }) };
  }

  /** Through the factory of this release. */
  private async destinations(merchantId: string): Promise<Pick<Holding, 'destination' | 'factory'>[]> {
    const all = await this.rows.destinations(merchantId);
    return all.filter(({ factory }) => factory === forwarderFactory.address);
  }

  private networks(): string[] {
    return this.config.networks.map(({ id }) => id);
  }
}
