import { Logger } from '@nestjs/common';
import type { NetworkConfig } from '../../../config/config.types.js';
import type { BalancesRepository, Baseline, WatchedBalance } from '../data/balances.repository.js';
import type { Cursor, FoundTransfer } from '../data/ledger.types.js';
import { InconsistentNode } from '../watching/node-failure.js';
import { attribute } from './attribution.js';
import { NATIVE_OUTPUT } from './credits.js';
import type { EvmBlock, EvmNode, InternalCall } from './evm-node.types.js';

/** The newest addresses whose balances a step compares: six requests. Older ones beyond are watched for all but this. */
const MOST_WATCHED = 4_200;

export interface InternalFinds {
  readonly transfers: readonly FoundTransfer[];
  readonly baselines: readonly Baseline[];
}

/** An address with its running account while the blocks of a step are walked through. */
interface Account {
  readonly address: string;
  readonly subject: string;
  knownAtoms: bigint;
  baselineAtoms: bigint;
}

/**
 * Finds coin that reached our addresses inside transactions: no log and no transaction's value tells of it, but the
 * balance does (ADR 17).
 */
export class InternalValue {
  private readonly logger = new Logger(InternalValue.name);
  private isSilent = false;

  constructor(
    private readonly network: NetworkConfig,
    private readonly coin: string,
    private readonly node: EvmNode,
    private readonly repository: BalancesRepository,
  ) {}

  /**
   * @param from the block before the first of `blocks`
   * @param found what these blocks are known to credit
   */
  async in(
    from: Cursor,
    blocks: readonly EvmBlock[],
    found: readonly FoundTransfer[],
  ): Promise<InternalFinds> {
    const { id, family } = this.network;
    // After the blocks were read: an address that is not among these yet cannot have been paid in them.
    const watched = await this.repository.watched(id, family, this.coin, MOST_WATCHED);
    const last = blocks.at(-1);
    if (watched.length === 0 || !last) return { transfers: [], baselines: [] };
    const natives = found.filter(({ output }) => output === NATIVE_OUTPUT);
    const fresh = watched.filter(({ unexplainedAtoms }) => unexplainedAtoms === null);
    const [before, after] = await Promise.all([
      this.balances(fresh, from),
      this.node.balances(addressesOf(watched), last.hash),
    ]);
    this.noteSilence(after === null || before === null, last.height);
    const baselines = fresh.flatMap(({ address, knownAtoms }, i) =>
      before ? [{ address, height: from.height, unexplainedAtoms: before[i]! - knownAtoms }] : [],
    );
    if (!after) return { transfers: [], baselines };
    const known = sums(natives);
    const started = new Map(baselines.map(({ address, unexplainedAtoms }) => [address, unexplainedAtoms]));
    const changed: Account[] = [];
    watched.forEach(({ address, subject, knownAtoms, unexplainedAtoms }, i) => {
      const rest = after[i]! - knownAtoms - (known.get(address) ?? 0n);
      const baselineAtoms = unexplainedAtoms ?? started.get(address);
      // Too late to tell what it held before: from here on, then.
      if (baselineAtoms === undefined) {
        baselines.push({ address, height: last.height, unexplainedAtoms: rest });
      } else if (rest !== baselineAtoms) {
        changed.push({ address, subject, knownAtoms, baselineAtoms });
      }
    });
    if (changed.length === 0) return { transfers: [], baselines };
    const finds = await this.walk(changed, blocks, natives);
    return { transfers: finds.transfers, baselines: [...baselines, ...finds.baselines] };
  }

  private async balances(of: readonly WatchedBalance[], at: Cursor): Promise<bigint[] | null> {
    return of.length === 0 ? [] : this.node.balances(addressesOf(of), at.hash);
  }

  /** Block by block, so that each movement stands in its own. Where a block's state is not told, in the next one. */
  private async walk(
    accounts: readonly Account[],
    blocks: readonly EvmBlock[],
    natives: readonly FoundTransfer[],
  ): Promise<InternalFinds> {
    const balances = await Promise.all(
      blocks.map((block) => this.node.balances(addressesOf(accounts), block.hash)),
    );
    const spent = new Set<string>();
    const transfers: FoundTransfer[] = [];
    const baselines: Baseline[] = [];
    for (const [i, block] of blocks.entries()) {
      const known = sums(natives.filter((transfer) => transfer.block.hash === block.hash));
      for (const account of accounts) account.knownAtoms += known.get(account.address) ?? 0n;
      for (const { sender } of block.transactions) spent.add(sender);
      const told = balances[i];
      if (!told) continue;
      const moved = accounts.flatMap((account, at) => {
        const changeAtoms = told[at]! - account.knownAtoms - account.baselineAtoms;
        return changeAtoms === 0n ? [] : [{ account, changeAtoms }];
      });
      if (moved.length === 0) continue;
      const calls = await this.node.internalCalls(block);
      for (const { account, changeAtoms } of moved) {
        const own = calls?.filter(({ to }) => to === account.address) ?? null;
        const found = this.found(block, account, attribute(changeAtoms, own, spent.has(account.address)));
        const credited = found.reduce((sum, { amountAtoms }) => sum + amountAtoms, 0n);
        transfers.push(...found);
        account.knownAtoms += credited;
        if (credited === changeAtoms) continue;
        account.baselineAtoms += changeAtoms - credited;
        const { address, baselineAtoms: unexplainedAtoms } = account;
        baselines.push({ address, height: block.height, unexplainedAtoms });
      }
    }
    return { transfers, baselines };
  }

  private found(
    block: EvmBlock,
    { address, subject }: Account,
    { calls, restAtoms }: { readonly calls: readonly InternalCall[]; readonly restAtoms: bigint },
  ): FoundTransfer[] {
    const { height, hash, time } = block;
    const common = { asset: this.coin, address, subject, block: { height, hash, time } };
    const found: FoundTransfer[] = calls.map(({ txid, path, valueAtoms }) => {
      const transaction = block.transactions.find((candidate) => candidate.txid === txid);
      if (!transaction)
        throw new InconsistentNode(`a trace is of transaction ${txid}, which is not in its block`);
      const { sender, nonce } = transaction;
      return { ...common, txid, output: `call:${path}`, amountAtoms: valueAtoms, sender, nonce };
    });
    if (restAtoms === 0n) return found;
    const unattributed = { txid: hash, output: `balance:${address}`, sender: null, nonce: null };
    return [...found, { ...common, ...unattributed, amountAtoms: restAtoms }];
  }

  private noteSilence(isSilent: boolean, height: number): void {
    if (isSilent && !this.isSilent) {
      this.logger.warn(
        `${this.network.id}: the node does not tell balances at block ${height}; while it does not, coin that ` +
          'arrives by internal calls is not seen',
      );
    }
    this.isSilent = isSilent;
  }
}

function addressesOf(of: readonly { readonly address: string }[]): string[] {
  return of.map(({ address }) => address);
}

function sums(transfers: readonly FoundTransfer[]): ReadonlyMap<string, bigint> {
  const atoms = new Map<string, bigint>();
  for (const { address, amountAtoms } of transfers) {
    atoms.set(address, (atoms.get(address) ?? 0n) + amountAtoms);
  }
  return atoms;
}
