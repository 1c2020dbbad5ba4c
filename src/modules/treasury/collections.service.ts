import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Address, Hex } from 'viem';
import type { AssetConfig } from '../../config/config.types.js';
import { paired } from '../../kernel/lookups.js';
import { CollectingService } from '../chains/forwarders/collecting.service.js';
import type { MinedCall } from '../chains/forwarders/collecting.types.js';
import { HoldingsService } from '../chains/forwarders/holdings.service.js';
import { NetworkHealthService } from '../chains/network-health.service.js';
import { AssetDecimals } from '../chains/networks/asset-decimals.service.js';
import { NetworksService } from '../chains/networks/networks.service.js';
import type { CollectionPlan, PlannedTransaction, SentCollection, Unpaid } from './treasury.types.js';

/** Behind one address there may be several nodes, and one of them a block behind. */
const TIMES_ASKED = 10;
const ASKED_EVERY_MS = 500;

/** Sends what collects, and says what became of it. */
@Injectable()
export class CollectionsService {
  constructor(
    private readonly health: NetworkHealthService,
    private readonly networks: NetworksService,
    private readonly decimals: AssetDecimals,
    private readonly holdings: HoldingsService,
    private readonly collecting: CollectingService,
  ) {}

  /**
   * Sends a plan one transaction after the other. Whatever ends it, what was sent is on the chain and what remains is
   * in the next plan.
   * @param key of an account that holds gas and nothing else; it can move nothing of the merchant's anywhere but home
   * @param told of each transaction, when the node has it and when a block has it
   * @throws DomainError `collecting-failed`
   */
  async collect(
    plan: CollectionPlan,
    key: string,
    told: (
      transaction: PlannedTransaction,
      txid: Hex,
      mined: (MinedCall & Pick<SentCollection, 'unpaid'>) | null,
    ) => void,
  ): Promise<void> {
    for (const transaction of plan.transactions) {
      // A node estimates the least with which nothing reverts; what a token does differently meanwhile needs a little more.
      const least = await this.collecting.gasOf(plan.network, transaction);
      // Where it does not, the factory reverts with less than it wants left before each address; what is not used costs nothing.
      const { roomGas, mostGas } = transaction;
      const wanted = least === null ? roomGas : (least * 6n) / 5n;
      const gas = wanted < mostGas ? wanted : mostGas;
      const mined = await this.collecting.send(plan.network, key, { ...transaction, gas }, (txid) =>
        told(transaction, txid, null),
      );
      const unpaid = await this.unpaidOf(plan, transaction, mined);
      told(transaction, mined.txid, { ...mined, unpaid });
    }
  }

  /** What became of a transaction, as the chain says. */
  async sent(merchantId: string, networkId: string, txid: Hex): Promise<SentCollection> {
    const found = (await this.holdings.collectedBy(merchantId, txid)).filter(
      ({ network }) => network === networkId,
    );
    const decimalsOf = await this.decimals.known();
    const amounts = found.map(({ asset, atoms }) => {
      return { atoms, decimals: decimalsOf(networkId, asset), asset };
    });
    const mined = await this.collecting.mined(networkId, txid);
    if (found.length > 0) {
      const state = found.every(({ isFinal }) => isFinal) ? 'final' : 'included';
      return { state, amounts, unpaid: mined && (await this.unpaidBy(merchantId, networkId, mined)) };
    }
    if (!mined) return { state: 'waiting', amounts, unpaid: null };
    if (!mined.hasSucceeded) return { state: 'failed', amounts, unpaid: null };
    const height = (await this.health.seen()).find(({ network }) => network === networkId)?.height ?? -1;
    // Until the watcher has passed its block nothing can be said of what it moved.
    if (height < mined.height) return { state: 'waiting', amounts, unpaid: null };
    return { state: 'nothing', amounts, unpaid: await this.unpaidBy(merchantId, networkId, mined) };
  }

  private async unpaidOf(
    { network, asset: symbol }: CollectionPlan,
    { addresses }: PlannedTransaction,
    { height }: MinedCall,
  ): Promise<readonly Unpaid[] | null> {
    const asset = this.networks.asset(network, symbol);
    if (!asset) return null;
    for (let asked = 1; ; asked += 1) {
      const unpaid = await this.heldStill(network, asset, addresses, height);
      if (unpaid || asked === TIMES_ASKED) return unpaid;
      await pause(ASKED_EVERY_MS);
    }
  }

  /** Of the merchant's addresses that the transaction asked to pay out. */
  private async unpaidBy(
    merchantId: string,
    networkId: string,
    { txid, height }: MinedCall,
  ): Promise<readonly Unpaid[] | null> {
    const asked = await this.collecting.asked(networkId, txid);
    const parts = await this.holdings.askedOf(merchantId, networkId, asked);
    // It asked in a way that cannot be read, or the node does not say what it asked.
    if (parts.length === 0) return null;
    const told = await Promise.all(
      parts.map(({ asset, addresses }) => this.heldStill(networkId, asset, addresses, height)),
    );
    return told.every((part) => part !== null) ? told.flat() : null;
  }

  private async heldStill(
    networkId: string,
    asset: AssetConfig,
    addresses: readonly Address[],
    height: number,
  ): Promise<readonly Unpaid[] | null> {
    const held = await this.collecting.held(networkId, asset, addresses, height);
    if (!held) return null;
    const { symbol, decimals } = asset;
    return paired(addresses, held)
      .map(([address, atoms]) => ({ address, asset: symbol, atoms, decimals }))
      .filter(({ atoms }) => atoms > 0n);
  }
}
