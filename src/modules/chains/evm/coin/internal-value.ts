import { Logger } from '@nestjs/common';
import type { NetworkConfig } from '../../../../config/config.types.js';
import { paired } from '../../../../kernel/lookups.js';
import {
  type BalancesRepository,
  type Baseline,
  type CoinMovement,
  type CoinSight,
  MOST_WATCHED,
  type PassedBlock,
  type Spending,
  type WatchedBalance,
} from '../../data/balances/balances.repository.js';
import type { Cursor, FoundCollection, FoundTransfer } from '../../data/ledger.types.js';
import type { EvmBlock, EvmNode } from '../node/evm-node.types.js';
import { SLOW_MS } from '../node/rest.js';
import { accountsOf, type HeldAccount } from './changed-accounts.js';
import { collectedIn } from './collected.js';
import { NATIVE_OUTPUT } from './credits.js';
import { type EarlierValue, earlierValue } from './earlier-value.js';
import { Names } from './names.js';
import { PastBlocks } from './past-blocks.js';
import { HELD_UP_MS, Patience } from './patience.js';
import { type Unseen, unseenCoin } from './unseen-coin.js';
import { addressesOf, movementsOf, type Stretch, sums, walkBlocks, type Walked } from './walked-blocks.js';

export interface InternalFinds extends CoinSight {
  readonly transfers: readonly FoundTransfer[];
  readonly baselines: readonly Baseline[];
  /** By watched addresses, to be remembered until these blocks are looked into. */
  readonly spendings: readonly Spending[];
}

/** A step of the watcher. */
export interface CoinStep {
  /** The block before the first of `blocks`. */
  readonly from: Cursor;
  /** None where only what is behind is looked into. */
  readonly blocks: readonly EvmBlock[];
  /** What these blocks are known to credit. */
  readonly transfers: readonly FoundTransfer[];
  /** Of coin, in these blocks. */
  readonly collections: readonly FoundCollection[];
  /** The last block that was looked into, where those up to `from` were not. */
  readonly blindFrom: number | null;
}

/** What the blocks of a step tell of coin without any balance. */
interface Told {
  readonly natives: readonly CoinMovement[];
  readonly collected: readonly CoinMovement[];
  readonly spendings: readonly Spending[];
  /** Watched addresses without keys. */
  readonly forwarders: ReadonlySet<string>;
}

const NOBODY = `0x${'0'.repeat(40)}`;

const NOTHING: InternalFinds = {
  transfers: [],
  baselines: [],
  spendings: [],
  blindFrom: null,
  unwatched: 0,
};

const UNCHANGED: Walked = { transfers: [], baselines: [], upTo: null, end: 'all', contradicted: [] };

/**
 * Finds coin that reached our addresses inside transactions: no log and no transaction's value tells of it, but the
 * balance does (ADR 17).
 */
export class InternalValue {
  private readonly logger = new Logger(InternalValue.name);
  /** With the newest block. */
  private readonly patience = new Patience(HELD_UP_MS);
  private readonly past: PastBlocks;
  /** What is asked for new addresses; apart, so that it says nothing of how the others are answered. */
  private readonly earlier: PastBlocks;
  /** Whether the node does not tell balances; `null` before it was asked. */
  private isSilent: boolean | null = null;
  /** Whether something is left to look into, with or without a new block; nobody knows before the first look. */
  isBehind = true;

  constructor(
    private readonly network: NetworkConfig,
    private readonly coin: string,
    private readonly node: EvmNode,
    private readonly repository: BalancesRepository,
    private readonly names = new Names(),
    private readonly most = MOST_WATCHED,
  ) {
    this.past = new PastBlocks(node);
    this.earlier = new PastBlocks(node);
  }

  async in(step: CoinStep): Promise<InternalFinds> {
    const { from, blocks, blindFrom } = step;
    const { id, family } = this.network;
    // After the blocks were read: an address that is not among these yet cannot have been paid in them.
    const { balances: watched, unwatched } = await this.repository.watched(id, family, this.most);
    const last = blocks.at(-1) ?? from;
    this.isBehind = true;
    this.past.newest = this.earlier.newest = last.height;
    if (watched.length === 0) {
      const isBlind = await this.wouldBeBlind(last);
      this.isBehind = isBlind;
      return { ...NOTHING, unwatched, blindFrom: isBlind ? (blindFrom ?? from.height) : null };
    }
    const [after, earlier] = await Promise.all([
      this.patience.look(() => this.node.balances(addressesOf(watched), last.hash)),
      earlierValue(this.node, this.coin, this.earlier, watched),
    ]);
    this.noteSilence(after === null, last.height);
    if (earlier.isWhole) this.earlier.settled();
    const told = toldOf(step, watched);
    const looked = after && earlier.isWhole ? await this.look(step, told, watched, after, earlier) : null;
    if (!looked) this.names.note(0);
    const upTo = looked ? looked.upTo?.height : (blindFrom ?? from.height);
    return {
      transfers: [...earlier.transfers, ...(looked?.transfers ?? [])],
      baselines: [...earlier.baselines, ...(looked?.baselines ?? [])],
      spendings: upTo === undefined ? [] : told.spendings.filter(({ height }) => height > upTo),
      blindFrom: upTo ?? null,
      unwatched,
    };
  }

  /**
   * Into what is behind, and then into these blocks.
   * @returns `upTo` is the last block that was looked into, where that is not the last; `null` where none was
   */
  private async look(
    { from, blocks, blindFrom }: CoinStep,
    told: Told,
    watched: readonly WatchedBalance[],
    after: readonly bigint[],
    earlier: EarlierValue,
  ): Promise<Pick<Walked, 'transfers' | 'baselines' | 'upTo'> | null> {
    const { node, repository, past, network } = this;
    const passed =
      blindFrom === null ? new Map<number, PassedBlock>() : await repository.passed(network.id, blindFrom);
    const spenders = new Set([
      ...addressesOf(told.spendings),
      ...[...passed.values()].flatMap((block) => block.spenders),
    ]);
    const { changed, unremembered } = accountsOf(watched, after, {
      earlier,
      natives: told.natives,
      spenders,
    });
    const untilMs = performance.now() + SLOW_MS;
    const leftMs = () => untilMs - performance.now();
    const collectedIn = (of: readonly EvmBlock[]) => this.collectedBefore(of, told.forwarders);
    const sources = { node, repository, network: network.id, past, leftMs, collectedIn };
    const unseen = await unseenCoin(sources, passed, blindFrom, from, changed);
    const walked = changed.length === 0 ? UNCHANGED : await this.walk(changed, unseen, blocks, told, leftMs);
    if (walked.end !== 'all' && !walked.upTo) return null;
    const last = blocks.at(-1) ?? from;
    const upTo = walked.upTo && walked.upTo.height < last.height ? walked.upTo : null;
    this.isBehind = upTo !== null;
    if (!this.isBehind) past.settled();
    this.warn(walked, upTo && walked.end === 'time' ? last.height - upTo.height : 0);
    const { height, hash } = upTo && upTo.height < from.height ? upTo : from;
    const looked = new Set(addressesOf(walked.baselines));
    const begun = unremembered.filter((address) => !looked.has(address));
    const zero = begun.map((address) => ({ address, height, hash, unexplainedAtoms: 0n }));
    return { transfers: walked.transfers, baselines: [...zero, ...walked.baselines], upTo };
  }

  /** @param behind so many blocks, for want of time */
  private warn({ contradicted }: Walked, behind: number): void {
    for (const { address, height } of contradicted) {
      this.logger.warn(
        `${this.network.id}: traces of block ${height} say that more coin came to ${address} than its balance does; ` +
          'credited is what the balance says',
      );
    }
    if (this.names.note(behind)) {
      this.logger.warn(
        `${this.network.id}: looking into blocks takes longer than they come; coin goes on without traces for a ` +
          'while, which would name its payers',
      );
    }
  }

  private async collectedBefore(
    blocks: readonly EvmBlock[],
    forwarders: ReadonlySet<string>,
  ): Promise<CoinMovement[]> {
    if (forwarders.size === 0) return [];
    return movementsOf(await collectedIn(this.node, this.coin, blocks, () => Promise.resolve(forwarders)));
  }

  /** The coin is closed while nobody could see it, also before the first address is issued. */
  private async wouldBeBlind(block: Cursor): Promise<boolean> {
    if (this.isSilent === false) return false;
    const isBlind = (await this.patience.look(() => this.node.balances([NOBODY], block.hash))) === null;
    this.noteSilence(isBlind, block.height);
    return isBlind;
  }

  /** First what is behind, then what was scanned; for no longer than a step has time. */
  private walk(
    accounts: readonly HeldAccount[],
    { stretches, recorded }: Unseen,
    scanned: readonly EvmBlock[],
    { natives, collected }: Told,
    leftMs: () => number,
  ): Promise<Walked> {
    const addresses = addressesOf(accounts);
    const after = accounts.map(({ heldAtoms }) => heldAtoms);
    const { past } = this;
    async function* all(): AsyncGenerator<Stretch, void> {
      yield* stretches;
      if (scanned.length === 0) return;
      const older = scanned.slice(0, -1);
      const told = await past.balances(
        older.map((block) => ({ block, addresses })),
        leftMs(),
      );
      const isCutShort = told.length < older.length;
      const each = isCutShort
        ? paired(scanned.slice(0, told.length), told)
        : paired(scanned, [...told, after]);
      const upTo = each.at(-1)?.[0] ?? null;
      yield { upTo, blocks: each.map(([block, rests]) => ({ block, told: rests })), collected, isCutShort };
    }
    const later = sums(recorded);
    const before = accounts.map((account) => {
      return { ...account, knownAtoms: account.knownAtoms - (later.get(account.address) ?? 0n) };
    });
    return walkBlocks(this.node, this.coin, before, all(), {
      movements: [...recorded, ...natives],
      isOver: () => leftMs() <= 0,
      isNamed: this.names.areSought,
      sure: (block, told) => past.sure({ block, addresses }, told),
      receipts: (of) => past.ask('receipts', () => this.node.receipts(of)),
    });
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

function toldOf({ blocks, transfers, collections }: CoinStep, watched: readonly WatchedBalance[]): Told {
  const forwarders = new Set(addressesOf(watched.filter(({ isForwarder }) => isForwarder)));
  const collected = movementsOf(collections.filter(({ address }) => forwarders.has(address)));
  const paidOut = collected.map(({ address, height }) => ({ address, height }));
  return {
    natives: movementsOf(transfers.filter(({ output }) => output === NATIVE_OUTPUT)),
    collected,
    spendings: [...spendingsOf(blocks, watched), ...paidOut],
    forwarders,
  };
}

function spendingsOf(
  blocks: readonly EvmBlock[],
  watched: readonly { readonly address: string }[],
): Spending[] {
  const ours = new Set(addressesOf(watched));
  return blocks.flatMap(({ height, listed }) => {
    const senders = new Set(listed.map(({ sender }) => sender));
    return [...senders].flatMap((address) =>
      address !== null && ours.has(address) ? [{ address, height }] : [],
    );
  });
}
