import { Injectable } from '@nestjs/common';
import type { AssetConfig, NetworkConfig } from '../../config/config.types.js';
import { amountText, fiatValue } from '../../kernel/crypto-amount.js';
import type { DomainError } from '../../kernel/domain-error.js';
import type { Currency } from '../../kernel/fiat.js';
import { isId } from '../../kernel/ids.js';
import { groupedBy, paired } from '../../kernel/lookups.js';
import { CollectingService } from '../chains/forwarders/collecting.service.js';
import type { CollectingConditions } from '../chains/forwarders/collecting.types.js';
import { HoldingsService } from '../chains/forwarders/holdings.service.js';
import type { Collected, Holding, KeyHolding } from '../chains/forwarders/holdings.types.js';
import { AssetDecimals } from '../chains/networks/asset-decimals.service.js';
import { NetworksService } from '../chains/networks/networks.service.js';
import { RateBook } from '../rates/rates.service.js';
import { batches, expectedGas, mostGas, roomFor } from './domain/batches.js';
import { costOf, kindOf } from './domain/cost.js';
import { safeBatch } from './domain/safe-batch.js';
import { noPayment, notCollectible, untold } from './treasury.errors.js';
import type { CollectionPlan, Lying, Place, PlannedTransaction, TreasuryRow } from './treasury.types.js';

type Batch = [Holding, ...Holding[]];

/** What lies on a merchant's deposit addresses, and the transactions that collect it. It holds no key and sends nothing. */
@Injectable()
export class TreasuryService {
  constructor(
    private readonly networks: NetworksService,
    private readonly decimals: AssetDecimals,
    private readonly holdings: HoldingsService,
    private readonly collecting: CollectingService,
    private readonly rates: RateBook,
  ) {}

  /** By network and asset, in the order of the configuration. */
  async lying(merchantId: string, currency: Currency): Promise<Lying[]> {
    const all = await this.holdings.holdings(merchantId);
    const networks = this.networks.all().filter(({ id }) => all.some(({ network }) => network === id));
    const conditions = new Map(
      await Promise.all(networks.map(async ({ id }) => [id, await this.collecting.conditions(id)] as const)),
    );
    return networks.flatMap((network) =>
      network.assets.flatMap((asset) => {
        const held = all.filter((one) => one.network === network.id && one.asset === asset.symbol);
        if (held.length === 0) return [];
        const now = conditions.get(network.id) ?? null;
        return [this.summed(network, asset, held, now, currency)];
      }),
    );
  }

  /** @throws DomainError `not-found` for a network or an asset that is none */
  checkPlace({ network, asset }: Place): void {
    const isThere = this.places().some(
      ({ id, assets }) =>
        (network ?? id) === id && (asset === undefined || assets.some(({ symbol }) => symbol === asset)),
    );
    if (!isThere) throw this.notCollectible(network, asset);
  }

  /** What the merchant's extended keys received: it is in its wallet already. */
  ofKeys(merchantId: string): Promise<KeyHolding[]> {
    return this.holdings.ofKeys(merchantId);
  }

  /** The latest first. */
  collected(merchantId: string, most: number): Promise<Collected[]> {
    return this.holdings.collected(merchantId, most);
  }

  async rows(merchantId: string): Promise<TreasuryRow[]> {
    const [all, decimalsOf] = await Promise.all([
      this.holdings.holdings(merchantId, { alsoEmpty: true }),
      this.decimals.known(),
    ]);
    return all.flatMap((one) => {
      const decimals = decimalsOf(one.network, one.asset);
      const about = { network: one.network, asset: one.asset, address: one.address, intentId: one.subject };
      const row = (atoms: bigint, state: TreasuryRow['state']): TreasuryRow[] =>
        atoms === 0n ? [] : [{ ...about, atoms, decimals, state }];
      return [
        ...row(one.finalAtoms, 'collectible'),
        ...row(one.heldAtoms - one.finalAtoms, 'not-final'),
        ...row(one.finalCollectedAtoms, 'collected'),
        ...row(one.collectedAtoms - one.finalCollectedAtoms, 'collected-not-final'),
      ];
    });
  }

  /**
   * The transactions that collect what lies there now. What was collected a moment ago, by this or by somebody else, is
   * left out as soon as a block says so.
   * @param forgotten ids of payments that this database knows nothing of, as after a restore: only what lies at addresses
   *   that may have been theirs
   * @throws DomainError `not-found` for a network or an asset that is none, `validation-error` for what is no id of a
   *   payment, `network-unavailable` where the node does not say what lies at forgotten addresses
   */
  async plan(
    merchantId: string,
    networkId: string,
    symbol: string,
    forgotten: readonly string[] = [],
  ): Promise<CollectionPlan> {
    const network = this.networks.network(networkId);
    const asset = this.networks.asset(networkId, symbol);
    const chainId = network?.chainId ?? null;
    if (!network || !asset || chainId === null) throw this.notCollectible(networkId, symbol);
    const isForgotten = forgotten.length > 0;
    const recorded = isForgotten
      ? await this.forgotten(merchantId, { network: networkId, asset: symbol }, forgotten)
      : (await this.holdings.holdings(merchantId)).filter(
          (one) => one.network === networkId && one.asset === symbol,
        );
    const addresses = recorded.map(({ address }) => address);
    const [told, conditions] = await Promise.all([
      this.collecting.held(networkId, asset, addresses, 'latest'),
      this.collecting.conditions(networkId),
    ]);
    if (!told && isForgotten) throw untold(network.name);
    const now = told ? paired(recorded, told).map(([one, heldAtoms]) => ({ ...one, heldAtoms })) : recorded;
    const held = now.filter(({ heldAtoms }) => heldAtoms > 0n);
    const batched = batchesOf(held, conditions);
    return {
      network: networkId,
      networkName: network.name,
      chainId,
      asset: symbol,
      decimals: asset.decimals,
      contract: asset.contract,
      isTold: told !== null,
      transactions: batched.map((batch) => this.transaction(chainId, asset, batch, conditions)),
      atoms: sum(held.map(({ heldAtoms }) => heldAtoms)),
      collectedMeanwhile: isForgotten ? 0 : recorded.length - held.length,
      cost: costOf(network, asset, batched, conditions),
    };
  }

  /** A transaction as the Transaction Builder of a Safe reads it. */
  safeFile(plan: CollectionPlan, transaction: PlannedTransaction, at: Date): Record<string, unknown> {
    const { chainId, to, value, data, amount, addresses, destination: safe } = transaction;
    const name = `Collect ${amountText(amount)} on ${plan.networkName}`;
    const description = `From ${addresses.length} deposit addresses to ${safe}`;
    return safeBatch(chainId, { name, description, safe, at }, [{ to, value, data }]);
  }

  private forgotten(merchantId: string, place: Pick<Holding, 'network' | 'asset'>, ids: readonly string[]) {
    const wrong = ids.find((id) => !isId('pi', id));
    if (wrong !== undefined) throw noPayment(wrong);
    return this.holdings.forgotten(merchantId, place, ids);
  }

  private places(): NetworkConfig[] {
    return this.networks.all().filter(({ chainId }) => chainId !== null);
  }

  private notCollectible(network: string | undefined, asset: string | undefined): DomainError {
    const known = this.places().map(
      ({ id, assets }) => `${id} (${assets.map(({ symbol }) => symbol).join(', ')})`,
    );
    return notCollectible({ network, asset }, known);
  }

  private summed(
    network: NetworkConfig,
    asset: AssetConfig,
    held: readonly Holding[],
    conditions: CollectingConditions | null,
    currency: Currency,
  ): Lying {
    const atoms = sum(held.map(({ heldAtoms }) => heldAtoms));
    const rate = this.rates.rate(asset.symbol, currency);
    return {
      network: network.id,
      networkName: network.name,
      asset: asset.symbol,
      decimals: asset.decimals,
      addresses: held.length,
      atoms,
      finalAtoms: sum(held.map(({ finalAtoms }) => finalAtoms)),
      unexpected: held.filter((one) => !this.holdings.isExpected(one)).length,
      destinations: [...new Set(held.map(({ destination }) => destination))],
      cost: costOf(network, asset, batchesOf(held, conditions), conditions),
      worth: rate && { minor: fiatValue(atoms, rate.price, asset.decimals, 'down'), currency },
    };
  }

  private transaction(
    chainId: number,
    asset: AssetConfig,
    batch: Batch,
    conditions: CollectingConditions | null,
  ): PlannedTransaction {
    const [{ destination }] = batch;
    const blockGas = conditions?.blockGas ?? null;
    const atoms = sum(batch.map(({ heldAtoms }) => heldAtoms));
    return {
      chainId,
      ...this.holdings.collectCall(asset, batch),
      value: '0',
      destination,
      amount: { atoms, decimals: asset.decimals, asset: asset.symbol },
      addresses: batch.map(({ address }) => address),
      expectedGas: expectedGas([batch], kindOf(asset)),
      roomGas: roomFor(batch, blockGas),
      mostGas: mostGas(blockGas),
    };
  }
}

/** One call collects for one destination: an older one keeps its own addresses. */
function batchesOf(held: readonly Holding[], conditions: CollectingConditions | null): Batch[] {
  const groups = groupedBy(held, ({ factory, destination }) => `${factory} ${destination}`);
  return [...groups.values()].flatMap((group) => batches(group, conditions?.blockGas ?? null));
}

const sum = (atoms: readonly bigint[]) => atoms.reduce((all, each) => all + each, 0n);
