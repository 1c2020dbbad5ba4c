import type { EvmAssets } from '../../evm/coin/credits.js';
import { type Movement, unequalMovements } from '../compare.js';
import { differenceOn } from '../differences.js';
import type { AgreedBlock, Difference } from '../reconciliation.types.js';
import { sumsOf } from '../sums.js';
import type { EvmHistory } from './history.js';
import type { ToldLogs } from './history-logs.js';
import { type Batch, changeBy, type ToldDifferences, withoutMissing } from './tokens.js';

const NO_LOGS: ToldLogs<Movement> = { logs: [], first: null };

interface Span {
  /** Heights whose recorded collections are compared. */
  readonly compared: { readonly from: number; readonly to: number };
  /** Where logs are asked for from. */
  readonly from: number;
}

/**
 * What deposit addresses without keys paid out, transaction by transaction. Of coin every `Collected` log is asked for,
 * because coin that came and went unseen leaves no other trace; of tokens the Transfer logs of addresses that hold other
 * than is recorded, because what came is told by the logs to them.
 */
export class EvmCollections {
  constructor(
    private readonly network: string,
    private readonly assets: EvmAssets,
    private readonly history: EvmHistory,
  ) {}

  /** @param arrived what the logs of these blocks tell of tokens that came */
  async compare(
    at: AgreedBlock,
    { compared, from }: Span,
    batch: Batch,
    arrived: readonly Difference[],
    signal?: AbortSignal,
  ): Promise<ToldDifferences> {
    const forwarders = batch.addresses.filter((address) => batch.paidOut.forwarders.has(address));
    if (forwarders.length === 0) return { differences: [], first: null };
    const told = [await this.coin(forwarders, from, compared.to, signal)];
    const looked = new Set(forwarders.map((address) => `${address} ${this.assets.coin}`));
    for (const [contract, asset] of this.assets.tokens) {
      const unequal = await this.unequal(at, contract, asset, forwarders, batch, arrived, signal);
      for (const address of unequal) looked.add(`${address} ${asset}`);
      told.push(await this.tokens(contract, asset, unequal, from, compared.to, signal));
    }
    const firsts = told.flatMap(({ first }) => (first === null ? [] : [first]));
    const first = firsts.length > 0 ? Math.max(...firsts) : null;
    const lowest = Math.max(compared.from, first ?? 0);
    const chain = told.flatMap(({ logs }) => logs).filter(({ height }) => height >= (first ?? 0));
    const ours = batch.paidOut.movements
      .filter(({ address, asset }) => looked.has(`${address} ${asset}`))
      .filter(({ height }) => height >= lowest && height <= compared.to)
      .map(({ atoms, ...one }) => ({ ...one, atoms: -atoms }));
    const differences = unequalMovements(chain, ours).map((one) =>
      differenceOn(this.network, one.chainAtoms > one.recordedAtoms ? 'collected' : 'missing', one),
    );
    return { differences: first === null ? differences : withoutMissing(differences), first };
  }

  private async coin(
    forwarders: readonly string[],
    from: number,
    to: number,
    signal?: AbortSignal,
  ): Promise<ToldLogs<Movement>> {
    const { coin: asset } = this.assets;
    if (asset === null) return NO_LOGS;
    const { logs, first } = await this.history.logs.collectedFrom(forwarders, from, to, signal);
    return { logs: logs.map((log) => ({ ...log, asset })), first };
  }

  private async tokens(
    contract: string,
    asset: string,
    addresses: readonly string[],
    from: number,
    to: number,
    signal?: AbortSignal,
  ): Promise<ToldLogs<Movement>> {
    if (addresses.length === 0) return NO_LOGS;
    const { logs, first } = await this.history.logs.transfersFrom(contract, addresses, from, to, signal);
    return { logs: logs.map((log) => ({ ...log, asset })), first };
  }

  /**
   * Those that hold less of a token than is recorded, or more, as where a collection is recorded that no chain has; or of
   * which the node does not tell.
   */
  private async unequal(
    at: AgreedBlock,
    contract: string,
    asset: string,
    forwarders: readonly string[],
    { recorded, paidOut }: Batch,
    arrived: readonly Difference[],
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    const balances = await this.history.tokenBalances(contract, forwarders, at, signal);
    if (!balances) return forwarders;
    const known = sumsOf([
      ...[...recorded, ...paidOut.movements].filter(({ height }) => height <= at.height),
      ...arrived.map(changeBy),
    ]);
    return forwarders.filter((address, i) => balances[i] !== (known.get(`${address} ${asset}`) ?? 0n));
  }
}
