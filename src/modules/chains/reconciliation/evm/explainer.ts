import type { NetworkConfig } from '../../../../config/config.types.js';
import { LeaseLost, type Term } from '../../data/fenced.statement.js';
import type { LedgerRepository } from '../../data/ledger.repository.js';
import type { FoundCollection, FoundTransfer } from '../../data/ledger.types.js';
import { type EvmAssets, evmAssets } from '../../evm/coin/credits.js';
import { collectedCoin, directValue } from '../../evm/coin/direct-value.js';
import { TransferLogs } from '../../evm/logs/transfer-logs.js';
import type { EvmNode } from '../../evm/node/evm-node.types.js';
import { InconsistentNode } from '../../node.errors.js';
import type { ReconciliationRepository } from '../data/reconciliation.repository.js';
import type { AgreedBlock, Difference, Found } from '../reconciliation.types.js';
import { someOf } from '../some-of.js';
import { sumsOf } from '../sums.js';
import { type ExcessTracer, transfersOf } from './excess-tracer.js';
import type { Refusals, Told } from './refusals.js';

/** So many are looked into at once; what is left is found again by the next comparison, which may take others. */
const MOST_AT_ONCE = 50;
/** A node that leaves looks without an answer must not hold up the round for each of them. */
const EXPLAIN_FOR_MS = 300_000;

/**
 * Finds the movements behind differences, by reading their blocks once more as the watcher would: with its keys, so that
 * neither of the two can write a movement twice. Where a node no longer tells in which block a balance changed, what
 * an address holds beyond is one movement of the block at which it was compared.
 */
export class EvmExplainer {
  private readonly assets: EvmAssets;
  private readonly logs: TransferLogs;

  constructor(
    private readonly network: NetworkConfig,
    private readonly tracer: ExcessTracer,
    private readonly node: EvmNode,
    private readonly ledger: LedgerRepository,
    private readonly repository: ReconciliationRepository,
    private readonly refusals: Refusals,
  ) {
    this.assets = evmAssets(network.assets);
    this.logs = new TransferLogs(node, [...this.assets.tokens.keys()]);
  }

  /** Each by itself: what one of them fails at stays a difference, and is no other's failure. @throws LeaseLost */
  async explain(at: AgreedBlock, differences: readonly Difference[], term: Term): Promise<Found> {
    const found = new Map<string, FoundTransfer>();
    const failures: unknown[] = [];
    let collections = 0;
    const untilMs = performance.now() + EXPLAIN_FOR_MS;
    const each = async <T>(all: readonly T[], work: (one: T) => Promise<readonly FoundTransfer[]>) => {
      for (const one of all) {
        if (performance.now() > untilMs) return;
        try {
          for (const transfer of await work(one)) found.set(`${transfer.txid} ${transfer.output}`, transfer);
        } catch (error) {
          if (error instanceof LeaseLost) throw error;
          failures.push(error);
        }
      }
    };
    // At once: what an address holds beyond what is known is judged by what has left it.
    const collected = differences.filter(({ kind }) => kind === 'collected');
    await each(someOf(heightsOf(collected), MOST_AT_ONCE), async (height) => {
      collections += await this.recordCollections(at, height, collected, term);
      return [];
    });
    const unrecorded = someOf(
      differences.filter(({ kind }) => kind === 'unrecorded'),
      MOST_AT_ONCE,
    );
    await each(heightsOf(unrecorded), async (height) => {
      const { transfers } = await this.tracer.read(height);
      return unrecorded.filter((one) => one.height === height).flatMap((one) => transfersOf(one, transfers));
    });
    await each(await this.unexplained(at, differences, term), (difference) =>
      this.withRefusals(difference, (told) => this.tracer.trace(at, difference, told)),
    );
    await each(await this.sweptUnseen(at, differences, term), (difference) =>
      this.withRefusals(difference, (told) => this.tracer.beforeSweep(at, difference, told)),
    );
    return { transfers: [...found.values()], spends: new Map(), collections, failures };
  }

  /** Read from their block as the watcher reads it. Only of what differs, as for transfers. */
  private async recordCollections(
    at: AgreedBlock,
    height: number,
    differences: readonly Difference[],
    term: Term,
  ): Promise<number> {
    const { node, network, ledger, assets, logs } = this;
    const view = { keys: [], assets, logs };
    const [block] = await node.blocks(height, height);
    if (!block) throw new InconsistentNode(`the node has no block ${height}`);
    const { collections } = await directValue(network, node, ledger, view, [block]);
    const all = [...collections, ...(await collectedCoin(network, node, ledger, view, [block]))];
    const here = differences.filter((one) => one.height === height);
    const isMissed = (of: FoundCollection) =>
      here.some(({ address, asset }) => of.address === address && of.asset === asset);
    return this.repository.appendCollections(term, at, all.filter(isMissed));
  }

  private withRefusals<T>({ address, asset }: Difference, work: (told: Told) => Promise<T>): Promise<T> {
    return this.refusals.over(`${this.network.id} ${address} ${asset}`, work);
  }

  /**
   * Coin not where the watcher still compares the balance. That knows nothing of what was paid out: it holds an address
   * against what came there, and is done with what came and went between two of its looks.
   */
  private async unexplained(
    at: AgreedBlock,
    differences: readonly Difference[],
    term: Term,
  ): Promise<readonly Difference[]> {
    const all = differences.filter(({ kind }) => kind === 'unexplained');
    const coins = all.filter(({ asset }) => asset === this.assets.coin);
    const { id, family } = this.network;
    const addresses = coins.map(({ address }) => address);
    const { movements } = await this.repository.paidOut(id, family, addresses);
    const left = sumsOf(movements.filter(({ height, isMissing }) => height <= at.height && !isMissing));
    const heldBeyond = ({ address, asset: symbol, chainAtoms, recordedAtoms }: Difference) =>
      chainAtoms - recordedAtoms + (left.get(`${address} ${symbol}`) ?? 0n);
    const beyond = new Map(coins.map((one) => [one.address, heldBeyond(one)]));
    const may = await this.repository.mayAppendCoin(term, at.height, beyond);
    const explicable = all.filter(({ asset, address }) => asset !== this.assets.coin || may.has(address));
    return someOf(explicable, MOST_AT_ONCE);
  }

  /** As above: while the watcher does not see, it has yet to look at what came and was moved on meanwhile. */
  private async sweptUnseen(
    at: AgreedBlock,
    differences: readonly Difference[],
    term: Term,
  ): Promise<readonly Difference[]> {
    const all = differences.filter(({ kind }) => kind === 'swept');
    const beyond = new Map(all.map(({ address }) => [address, 0n]));
    const may = await this.repository.mayAppendCoin(term, at.height, beyond);
    const explicable = all.filter(({ address }) => may.has(address));
    return someOf(explicable, MOST_AT_ONCE);
  }
}

function heightsOf(differences: readonly Difference[]): number[] {
  return [...new Set(differences.map(({ height }) => height))];
}
