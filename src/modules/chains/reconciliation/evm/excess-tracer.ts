import { padHex } from 'viem';
import type { NetworkConfig } from '../../../../config/config.types.js';
import { hexOf } from '../../../../kernel/text/hex.js';
import type { LedgerRepository } from '../../data/ledger.repository.js';
import type { FoundTransfer } from '../../data/ledger.types.js';
import { attribute } from '../../evm/coin/attribution.js';
import { type EvmAssets, evmAssets, recipientOf } from '../../evm/coin/credits.js';
import { directValue } from '../../evm/coin/direct-value.js';
import { bloomMayHold, isWithoutBloom } from '../../evm/logs/bloom.js';
import { TransferLogs } from '../../evm/logs/transfer-logs.js';
import type { EvmBlock, EvmNode } from '../../evm/node/evm-node.types.js';
import { InconsistentNode } from '../../node.errors.js';
import type { ReconciliationRepository, RecordedMovement } from '../data/reconciliation.repository.js';
import type { AgreedBlock, Difference } from '../reconciliation.types.js';
import { sumsOf } from '../sums.js';
import type { AgreedBalances } from './agreed-balances.js';
import type { EvmHistory } from './history.js';
import type { Told } from './refusals.js';
import { tokenRest } from './tokens.js';

/** An address that was paid past the watcher so often has an operator who looks at it. */
const MOST_BLOCKS_EACH = 8;

interface Excess {
  readonly difference: Difference;
  /** What the ledger holds for it, and what was found here already. */
  readonly known: (Pick<RecordedMovement, 'height' | 'atoms'> & { readonly key: string })[];
  readonly told: Told;
}

/** Finds the blocks in which what an address holds beyond the ledger came, and what brought it there. */
export class ExcessTracer {
  private readonly assets: EvmAssets;
  private readonly logs: TransferLogs;

  constructor(
    private readonly network: NetworkConfig,
    private readonly history: EvmHistory,
    private readonly balances: AgreedBalances,
    private readonly node: EvmNode,
    private readonly ledger: LedgerRepository,
    private readonly repository: ReconciliationRepository,
  ) {
    this.assets = evmAssets(network.assets);
    this.logs = new TransferLogs(node, [...this.assets.tokens.keys()]);
  }

  async trace(at: AgreedBlock, difference: Difference, told: Told): Promise<FoundTransfer[]> {
    const { address, asset } = difference;
    const { id, family } = this.network;
    const known = (await this.repository.recorded(id, family, [address]))
      .filter((movement) => movement.asset === asset)
      .map(({ txid, output, height, atoms }) => ({ key: `${txid} ${output}`, height, atoms }));
    const { movements } = await this.repository.paidOut(id, family, [address]);
    // What no chain has paid out has made no room for anything.
    const left = movements.filter((movement) => movement.asset === asset && !movement.isMissing);
    known.push(...left.map(({ height, atoms }) => ({ key: 'collected', height, atoms })));
    const excess: Excess = { difference, known, told };
    if (asset === this.assets.coin) {
      const agreed = await told(() => this.balances.coin(address, at));
      if (agreed !== difference.chainAtoms) return [];
    }
    const found: FoundTransfer[] = [];
    for (let blocks = 0; blocks < MOST_BLOCKS_EACH; blocks += 1) {
      const rest = difference.chainAtoms - sum(known, at.height);
      if (rest <= 0n) break;
      const height = await this.changedAt(at, excess);
      const more = height === null ? null : await this.inBlock(height, excess, rest);
      if (!more?.length) {
        if (asset === this.assets.coin) found.push(...(await this.unattributed(at, excess, rest)));
        else if (height !== null && more) found.push(...(await this.withoutLog(height, excess)));
        break;
      }
      found.push(...more);
      known.push(
        ...more.map(({ txid, output, amountAtoms, block }) => ({
          key: `${txid} ${output}`,
          height: block.height,
          atoms: amountAtoms,
        })),
      );
    }
    return found;
  }

  /** The first block after which the address holds more than is known; `null` where the node does not tell. */
  private async changedAt(at: AgreedBlock, excess: Excess): Promise<number | null> {
    const { known } = excess;
    let [low, high] = [(await this.explainedUpTo(at, excess)) + 1, at.height];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const held = await this.heldAt(middle, excess);
      if (held === null) return null;
      if (held > sum(known, middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /**
   * The last known movement's block after which the address held no more than is known: what was told late stands above
   * the block that it came in, and must not be found there a second time. -1 before all of them.
   */
  private async explainedUpTo(at: AgreedBlock, excess: Excess): Promise<number> {
    const { known } = excess;
    const heights = [...new Set(known.map(({ height }) => height))].filter((height) => height < at.height);
    for (const height of heights.sort((a, b) => b - a).slice(0, MOST_BLOCKS_EACH)) {
      const held = await this.heldAt(height, excess);
      if (held !== null && held <= sum(known, height)) return height;
    }
    return -1;
  }

  /** `null` where the node does not tell; nothing of a token that did not exist yet, or in a block that it has forgotten. */
  private async heldAt(height: number, { difference, told }: Excess): Promise<bigint | null> {
    const { address, asset } = difference;
    const contract = [...this.assets.tokens].find(([, symbol]) => symbol === asset)?.[0];
    const block = await this.history.block(height);
    if (!block) return contract ? 0n : null;
    if (!contract) return told(async () => (await this.history.coinBalances([address], block))?.[0] ?? null);
    // What it no longer has is before what it can tell: whether it changed there is looked at in the end.
    return (
      (await told(async () => (await this.history.tokenBalances(contract, [address], block))?.[0] ?? null)) ??
      0n
    );
  }

  /**
   * What a block credits the address that is not known; `null` where that is more than is missing. Coin that the watcher
   * has found by the balance stands in the ledger by another name than its transaction, and of tokens that were moved on
   * since the balance tells less than the logs.
   */
  private async inBlock(
    height: number,
    { difference, known, told }: Excess,
    rest: bigint,
  ): Promise<FoundTransfer[] | null> {
    const { block, transfers } = await this.read(height);
    const keys = new Set(known.map(({ key }) => key));
    const fresh = transfersOf(difference, transfers).filter(
      ({ txid, output }) => !keys.has(`${txid} ${output}`),
    );
    const direct = fresh.reduce((atoms, { amountAtoms }) => atoms + amountAtoms, 0n);
    if (direct > rest) return null;
    if (difference.asset !== this.assets.coin) return fresh;
    const held = await told(() => this.balances.coin(difference.address, block));
    const inside = (held ?? 0n) - sum(known, height) - direct;
    if (inside <= 0n) return fresh;
    const most = rest - direct;
    return [...fresh, ...(await this.internal(block, difference, inside < most ? inside : most))];
  }

  private async internal(
    block: EvmBlock,
    { address, asset }: Difference,
    atoms: bigint,
  ): Promise<FoundTransfer[]> {
    const calls = await this.node.internalCalls(block);
    const own = calls?.filter(({ to }) => to === address) ?? null;
    const found = attribute(atoms, own);
    const subject = await this.subjectOf(address);
    const { height, hash, time } = block;
    const common = { asset, address, subject, block: { height, hash, time } };
    const transfers: FoundTransfer[] = found.calls.map(({ txid, path, payers, valueAtoms }) => {
      const { sender, nonce } = block.listed.find((one) => one.txid === txid) ?? {};
      const by = { sender: sender ?? null, nonce: nonce ?? null, payers };
      return { ...common, ...by, txid, output: `call:${path}`, amountAtoms: valueAtoms };
    });
    if (found.restAtoms === 0n) return transfers;
    const rest = { txid: hash, output: `balance:${address}`, sender: null, nonce: null, payers: [] };
    return [...transfers, { ...common, ...rest, amountAtoms: found.restAtoms }];
  }

  /** What lay on an address in the block before its first transaction, or came and went in that block. */
  async beforeSweep(at: AgreedBlock, difference: Difference, told: Told): Promise<FoundTransfer[]> {
    const { address } = difference;
    let [low, high] = [0, at.height];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const block = await this.history.block(middle);
      const sent = block && (await told(() => this.history.sent(address, block)));
      // What it no longer has is before what it can tell.
      if (sent !== null && sent > 0) high = middle;
      else low = middle + 1;
    }
    const before = low === 0 ? null : await this.history.block(low - 1);
    if (!before || (await told(() => this.history.sent(address, before))) !== 0) return [];
    const held = await told(() => this.balances.coin(address, before));
    if (held === null) return [];
    if (held > 0n)
      return this.trace(before, { ...difference, chainAtoms: held, height: before.height }, told);
    return transfersOf(difference, (await this.read(low)).transfers);
  }

  private async unattributed(
    at: AgreedBlock,
    { difference: { address, asset } }: Excess,
    atoms: bigint,
  ): Promise<FoundTransfer[]> {
    const block = await this.node.header(at.height);
    if (block?.hash !== at.hash) throw new InconsistentNode(`block ${at.height} is another one by now`);
    return [await this.rest(asset, `balance:${address}`, address, atoms, block)];
  }

  /** Tokens that came in a block whose receipts, read whole, say nothing of it: the token did so by itself. */
  private async withoutLog(height: number, { difference, known, told }: Excess): Promise<FoundTransfer[]> {
    const { address, asset } = difference;
    const contract = [...this.assets.tokens].find(([, symbol]) => symbol === asset)?.[0];
    const [block] = await this.node.blocks(height, height);
    const before = height > 0 ? await this.history.block(height - 1) : null;
    if (!contract || !block || !before) return [];
    const held = await told(() => this.balances.token(contract, address, block));
    const heldBefore = await told(() => this.balances.token(contract, address, before));
    // Where it did not change, it came earlier: the node has forgotten the states between.
    if (held === null || heldBefore === null || heldBefore > sum(known, height - 1)) return [];
    // A log may be told late, by an index, or by receipts that lack a transaction. Without a bloom nobody can tell.
    const { logsBloom, listed } = block;
    const topic = padHex(hexOf(address), { size: 32 });
    const mayName =
      (listed.length > 0 && isWithoutBloom(logsBloom)) ||
      (bloomMayHold(logsBloom, hexOf(contract)) && bloomMayHold(logsBloom, topic));
    const logs = mayName ? [] : await this.logs.inReceipts(block);
    if (mayName || logs.some((log) => log.contract === contract && recipientOf(log) === address)) return [];
    const atoms = held - sum(known, height);
    return atoms <= 0n ? [] : [await this.rest(asset, tokenRest(contract, address), address, atoms, block)];
  }

  private async rest(
    asset: string,
    output: string,
    address: string,
    amountAtoms: bigint,
    { height, hash, time }: AgreedBlock & { readonly time: Date },
  ): Promise<FoundTransfer> {
    return {
      txid: hash,
      output,
      asset,
      address,
      amountAtoms,
      block: { height, hash, time },
      subject: await this.subjectOf(address),
      sender: null,
      nonce: null,
      payers: [],
    };
  }

  /** What a block paid directly, as the watcher reads it. */
  async read(height: number): Promise<{ block: EvmBlock; transfers: readonly FoundTransfer[] }> {
    const { node, network, ledger, assets, logs } = this;
    const [block] = await node.blocks(height, height);
    if (!block) throw new InconsistentNode(`the node has no block ${height}`);
    const { transfers } = await directValue(network, node, ledger, { keys: [], assets, logs }, [block]);
    return { block, transfers };
  }

  private async subjectOf(address: string): Promise<string> {
    const subject = (await this.ledger.owners(this.network.family, [address])).get(address);
    if (!subject) throw new Error(`${address} was never issued`);
    return subject;
  }
}

/** Only of the address and the asset that differ: what else a block brought may be recorded already, by another name. */
export function transfersOf(
  { address, asset }: Difference,
  transfers: readonly FoundTransfer[],
): FoundTransfer[] {
  return transfers.filter((transfer) => transfer.address === address && transfer.asset === asset);
}

function sum(known: Excess['known'], height: number): bigint {
  return (
    sumsOf(
      known.filter((one) => one.height <= height).map(({ atoms }) => ({ address: '', asset: '', atoms })),
    ).get(' ') ?? 0n
  );
}
