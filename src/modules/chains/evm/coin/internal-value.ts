import { Logger } from '@nestjs/common';
import type { NetworkConfig } from '../../../../config/config.types.js';
import {
  MOST_WATCHED,
  type BalancesRepository,
  type Baseline,
  type CoinMovement,
  type CoinSight,
  type WatchedBalance,
} from '../../data/balances.repository.js';
import type { Cursor, FoundTransfer } from '../../data/ledger.types.js';
import { InconsistentNode } from '../../watching/node-failure.js';
import { attribute } from './attribution.js';
import { NATIVE_OUTPUT } from './credits.js';
import type { EvmBlock, EvmHeader, EvmNode, InternalCall } from '../node/evm-node.types.js';
import { Patience } from './patience.js';
import { unseenCoin } from './unseen-coin.js';

export interface InternalFinds extends CoinSight {
  readonly transfers: readonly FoundTransfer[];
  readonly baselines: readonly Baseline[];
}

const UNLISTED = { sender: null, nonce: null };
const NOBODY = `0x${'0'.repeat(40)}`;

const NOTHING: InternalFinds = { transfers: [], baselines: [], isBlind: false, unwatched: 0 };

interface Holder {
  readonly address: string;
  readonly subject: string;
}

/** An address with its running account while the blocks of a step are walked through. */
interface Account extends Holder {
  readonly sinceHeight: number;
  knownAtoms: bigint;
  baselineAtoms: bigint;
}

/**
 * Finds coin that reached our addresses inside transactions: no log and no transaction's value tells of it, but the
 * balance does (ADR 17).
 */
export class InternalValue {
  private readonly logger = new Logger(InternalValue.name);
  /** With the last block of a step, the blocks within it, and those before addresses were issued. */
  private readonly now = new Patience();
  private readonly within = new Patience();
  private readonly before = new Patience();
  /** Whether the node does not tell balances; `null` before it was asked. */
  private isSilent: boolean | null = null;

  constructor(
    private readonly network: NetworkConfig,
    private readonly coin: string,
    private readonly node: EvmNode,
    private readonly repository: BalancesRepository,
    private readonly most = MOST_WATCHED,
  ) {}

  /**
   * @param from the block before the first of `blocks`
   * @param found what these blocks are known to credit
   * @param blindFrom the last block of which the node told balances, where it did not for those up to `from`
   */
  async in(
    from: Cursor,
    blocks: readonly EvmBlock[],
    found: readonly FoundTransfer[],
    blindFrom: number | null,
  ): Promise<InternalFinds> {
    const { id, family } = this.network;
    // After the blocks were read: an address that is not among these yet cannot have been paid in them.
    const { balances: watched, unwatched } = await this.repository.watched(id, family, this.most);
    const last = blocks.at(-1);
    if (!last) return NOTHING;
    if (watched.length === 0) return { ...NOTHING, unwatched, isBlind: await this.wouldBeBlind(last) };
    const [held, after] = await Promise.all([
      this.heldBefore(watched),
      this.now.look(() => this.node.balances(addressesOf(watched), last.hash)),
    ]);
    this.noteSilence(after === null, last.height);
    const { transfers: earlier, baselines } = await this.takenOver(watched, held);
    if (!after) return { transfers: earlier, baselines, isBlind: true, unwatched };
    const natives = movementsOf(found.filter(({ output }) => output === NATIVE_OUTPUT));
    const [known, before] = [sums(natives), sums(movementsOf(earlier))];
    const senders = new Set(blocks.flatMap(({ transactions }) => transactions.map(({ sender }) => sender)));
    const changed: Account[] = [];
    const begun = new Map(baselines.map((baseline) => [baseline.address, baseline.unexplainedAtoms]));
    watched.forEach(({ address, subject, unexplainedAtoms, reference, ...account }, i) => {
      // What nobody remembers is taken for nothing: we issued the address, and money must not become a baseline.
      const baselineAtoms = unexplainedAtoms ?? begun.get(address) ?? 0n;
      if (unexplainedAtoms === null && !begun.has(address)) {
        baselines.push({ address, height: from.height, unexplainedAtoms: 0n });
      }
      const knownAtoms = account.knownAtoms + (before.get(address) ?? 0n);
      const rest = after[i]! - knownAtoms - (known.get(address) ?? 0n);
      // Paid and moved on within these blocks, the balance is what it was.
      if (rest !== baselineAtoms || senders.has(address)) {
        const sinceHeight = account.baselineHeight ?? reference?.height ?? 0;
        changed.push({ address, subject, knownAtoms, baselineAtoms, sinceHeight });
      }
    });
    const finds = changed.length === 0 ? NOTHING : await this.walk(changed, from, blocks, natives, blindFrom);
    return {
      ...{ transfers: [...earlier, ...finds.transfers], baselines: [...baselines, ...finds.baselines] },
      ...{ isBlind: false, unwatched },
    };
  }

  /** What lay there is money that came before the address was issued: recorded as such, in the last block of that time. */
  private async takenOver(
    watched: readonly WatchedBalance[],
    held: ReadonlyMap<string, bigint>,
  ): Promise<{ transfers: FoundTransfer[]; baselines: Baseline[] }> {
    const transfers: FoundTransfer[] = [];
    const baselines: Baseline[] = [];
    for (const { reference, knownBeforeAtoms, ...holder } of watched) {
      const atoms = held.get(holder.address);
      if (!reference || atoms === undefined) continue;
      const restAtoms = atoms - knownBeforeAtoms;
      const { address } = holder;
      baselines.push({
        address,
        height: reference.height,
        unexplainedAtoms: restAtoms < 0n ? restAtoms : 0n,
      });
      if (restAtoms <= 0n) continue;
      const block = await this.node.header(reference.height);
      if (block?.hash !== reference.hash)
        throw new InconsistentNode(`block ${reference.height} is another one than the one that was read`);
      transfers.push(this.rest(block, holder, restAtoms));
    }
    return { transfers, baselines };
  }

  /** The coin is closed while nobody could see it, also before the first address is issued. */
  private async wouldBeBlind(block: EvmBlock): Promise<boolean> {
    if (this.isSilent === false) return false;
    const isBlind = (await this.now.look(() => this.node.balances([NOBODY], block.hash))) === null;
    this.noteSilence(isBlind, block.height);
    return isBlind;
  }

  /** What addresses that were never looked at held before anybody was told of them, where the node still knows it. */
  private async heldBefore(watched: readonly WatchedBalance[]): Promise<ReadonlyMap<string, bigint>> {
    const groups = new Map<string, string[]>();
    for (const { address, unexplainedAtoms, reference } of watched) {
      if (unexplainedAtoms !== null || !reference) continue;
      groups.set(reference.hash, [...(groups.get(reference.hash) ?? []), address]);
    }
    const held = new Map<string, bigint>();
    await this.before.look(() =>
      Promise.all(
        [...groups].map(async ([hash, addresses]) => {
          const told = await this.node.balances(addresses, hash);
          told?.forEach((atoms, i) => held.set(addresses[i]!, atoms));
        }),
      ),
    );
    return held;
  }

  /** Block by block, so that each movement stands in its own. Where a block's state is not told, in the next one. */
  private async walk(
    accounts: readonly Account[],
    from: Cursor,
    scanned: readonly EvmBlock[],
    natives: readonly CoinMovement[],
    blindFrom: number | null,
  ): Promise<Pick<InternalFinds, 'transfers' | 'baselines'>> {
    const { node, repository, network } = this;
    const unseen =
      blindFrom === null
        ? { blocks: [], recorded: [] }
        : await unseenCoin({ node, repository, network: network.id }, blindFrom, from, accounts);
    const later = sums(unseen.recorded);
    for (const account of accounts) account.knownAtoms -= later.get(account.address) ?? 0n;
    const blocks = [...unseen.blocks, ...scanned];
    const movements = [...unseen.recorded, ...natives];
    const addresses = addressesOf(accounts);
    const each = blocks.map(
      ({ hash }) =>
        () =>
          node.balances(addresses, hash),
    );
    const balances =
      (await this.within.look(() => Promise.all(each.map((ask) => ask())))) ??
      (await Promise.all(each.map((ask) => ask().catch(() => null))));
    const spent = new Set<string>();
    const transfers: FoundTransfer[] = [];
    const baselines: Baseline[] = [];
    for (const [i, block] of blocks.entries()) {
      const after = blocks[i - 1]?.height ?? -1;
      const known = sums(movements.filter(({ height }) => height > after && height <= block.height));
      for (const account of accounts) account.knownAtoms += known.get(account.address) ?? 0n;
      const senders = new Set(block.transactions.map(({ sender }) => sender));
      for (const { address } of accounts) if (senders.has(address)) spent.add(address);
      const told = balances[i];
      if (!told) continue;
      const moved = accounts.flatMap((account, at) => {
        const changeAtoms = told[at]! - account.knownAtoms - account.baselineAtoms;
        const isStill = changeAtoms === 0n && !senders.has(account.address);
        return isStill || block.height <= account.sinceHeight ? [] : [{ account, changeAtoms }];
      });
      if (moved.length === 0) continue;
      const calls = await this.node.internalCalls(block);
      for (const { account, changeAtoms } of moved) {
        const own = calls?.filter(({ to }) => to === account.address) ?? null;
        const isHidden = own === null && senders.has(account.address);
        const gainedAtoms = isHidden ? await this.gained(block, account.address, changeAtoms) : changeAtoms;
        const found = this.found(block, account, attribute(gainedAtoms, own, spent.has(account.address)));
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

  /**
   * What came in while the address itself paid out in the same block, of which no trace tells. Receipts do not tell all
   * fees of all networks, so what is no more than the fees is taken for one.
   */
  private async gained(block: EvmBlock, address: string, changeAtoms: bigint): Promise<bigint> {
    const own = block.transactions.filter(({ sender }) => sender === address);
    const receipts = await this.node.receipts(own.map(({ txid }) => txid));
    const feesAtoms = receipts.reduce((sum, { feeAtoms }) => sum + feeAtoms, 0n);
    const paidAtoms = own.reduce((sum, { to, valueAtoms }, i) => {
      return receipts[i]!.succeeded && to !== address ? sum + valueAtoms : sum;
    }, 0n);
    const gainedAtoms = changeAtoms + paidAtoms + feesAtoms;
    return gainedAtoms > feesAtoms ? gainedAtoms : changeAtoms;
  }

  private found(
    block: EvmBlock,
    { address, subject }: Holder,
    { calls, restAtoms }: { readonly calls: readonly InternalCall[]; readonly restAtoms: bigint },
  ): FoundTransfer[] {
    const { height, hash, time } = block;
    const common = { asset: this.coin, address, subject, block: { height, hash, time } };
    const found: FoundTransfer[] = calls.map(({ txid, path, payers, valueAtoms }) => {
      // A transaction that no block lists (see credits.ts) has its traces too; how much came is what the balance says.
      const { sender, nonce } = block.transactions.find((one) => one.txid === txid) ?? UNLISTED;
      return {
        ...common,
        txid,
        output: `call:${path}`,
        amountAtoms: valueAtoms,
        sender,
        nonce,
        payers,
      };
    });
    return restAtoms === 0n ? found : [...found, this.rest(block, { address, subject }, restAtoms)];
  }

  /** What an address gained that no transaction is known for: one movement of the block. */
  private rest(
    { height, hash, time }: EvmHeader,
    { address, subject }: Holder,
    amountAtoms: bigint,
  ): FoundTransfer {
    return {
      ...{ txid: hash, output: `balance:${address}`, sender: null, nonce: null, payers: [] },
      ...{ asset: this.coin, address, subject, amountAtoms, block: { height, hash, time } },
    };
  }

  private noteSilence(isSilent: boolean, height: number): void {
    if (isSilent && !this.isSilent) {
      this.logger.warn(
        `${this.network.id}: the node does not tell balances at block ${height}; while it does not, coin that ` +
          'arrives by internal calls is not seen and is not offered',
      );
    }
    this.isSilent = isSilent;
  }
}

function addressesOf(of: readonly { readonly address: string }[]): string[] {
  return of.map(({ address }) => address);
}

function movementsOf(transfers: readonly FoundTransfer[]): CoinMovement[] {
  return transfers.map(({ address, block, amountAtoms: atoms }) => ({
    address,
    height: block.height,
    atoms,
  }));
}

function sums(movements: readonly CoinMovement[]): ReadonlyMap<string, bigint> {
  const sum = new Map<string, bigint>();
  for (const { address, atoms } of movements) sum.set(address, (sum.get(address) ?? 0n) + atoms);
  return sum;
}
