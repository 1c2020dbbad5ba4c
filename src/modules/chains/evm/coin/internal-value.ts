import { Logger } from '@nestjs/common';
import type { NetworkConfig } from '../../../../config/config.types.js';
import { entryAt, paired, valueAt } from '../../../../kernel/lookups.js';
import {
  type BalancesRepository,
  type Baseline,
  type CoinMovement,
  type CoinSight,
  MOST_WATCHED,
  type PassedBlock,
  type Spending,
} from '../../data/balances/balances.repository.js';
import type { Cursor, FoundCollection, FoundTransfer } from '../../data/ledger.types.js';
import type { EvmBlock, EvmNode } from '../node/evm-node.types.js';
import { SLOW_MS } from '../node/rest.js';
import { collectedIn } from './collected.js';
import { NATIVE_OUTPUT } from './credits.js';
import { earlierValue } from './earlier-value.js';
import { Names } from './names.js';
import { PastBlocks } from './past-blocks.js';
import { HELD_UP_MS, Patience } from './patience.js';
import { type Unseen, unseenCoin } from './unseen-coin.js';
import { type Account, addressesOf, type Stretch, sums, walkBlocks, type Walked } from './walked-blocks.js';

export interface InternalFinds extends CoinSight {
  readonly transfers: readonly FoundTransfer[];
  readonly baselines: readonly Baseline[];
  /** By watched addresses, to be remembered until these blocks are looked into. */
  readonly spendings: readonly Spending[];
}

/** The blocks of a step, with what of coin is known of them. */
interface Scanned {
  readonly blocks: readonly EvmBlock[];
  readonly natives: readonly CoinMovement[];
  readonly collected: readonly CoinMovement[];
  /** What the accounts hold after the last of them. */
  readonly after: readonly bigint[];
}

const NOBODY = `0x${'0'.repeat(40)}`;

const NOTHING: InternalFinds = {
  transfers: [],
  baselines: [],
  spendings: [],
  blindFrom: null,
  unwatched: 0,
};

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

  /**
   * @param from the block before the first of `blocks`, which are none where only what is behind is looked into
   * @param found what these blocks are known to credit
   * @param blindFrom the last block that was looked into, where those up to `from` were not
   * @param collections of coin, in these blocks
   */
  async in(
    from: Cursor,
    blocks: readonly EvmBlock[],
    found: readonly FoundTransfer[],
    blindFrom: number | null,
    collections: readonly FoundCollection[],
  ): Promise<InternalFinds> {
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
    const baselines = [...earlier.baselines];
    const forwarders = new Set(addressesOf(watched.filter(({ isForwarder }) => isForwarder)));
    const collected = movementsOf(collections.filter(({ address }) => forwarders.has(address)));
    const own = [
      ...spendingsOf(blocks, watched),
      ...collected.map(({ address, height }) => ({ address, height })),
    ];
    const waiting = (): InternalFinds => {
      this.names.note(0);
      return {
        transfers: earlier.transfers,
        baselines,
        spendings: own,
        blindFrom: blindFrom ?? from.height,
        unwatched,
      };
    };
    if (earlier.isWhole) this.earlier.settled();
    if (!after || !earlier.isWhole) return waiting();
    const passed =
      blindFrom === null ? new Map<number, PassedBlock>() : await this.repository.passed(id, blindFrom);
    const spenders = new Set([
      ...own.map(({ address }) => address),
      ...[...passed.values()].flatMap((block) => block.spenders),
    ]);
    const natives = movementsOf(found.filter(({ output }) => output === NATIVE_OUTPUT));
    const [known, before] = [sums(natives), sums(movementsOf(earlier.transfers))];
    const changed: Account[] = [];
    const heldAfter = new Map(paired(addressesOf(watched), after));
    const unremembered: string[] = [];
    const begun = new Map(baselines.map((baseline) => [baseline.address, baseline.unexplainedAtoms]));
    watched.forEach(({ address, subject, unexplainedAtoms, reference, ...account }, i) => {
      // What nobody remembers is taken for nothing: we issued the address, and money must not become a baseline.
      const baselineAtoms = unexplainedAtoms ?? begun.get(address) ?? 0n;
      if (unexplainedAtoms === null && !begun.has(address)) unremembered.push(address);
      const knownAtoms = account.knownAtoms + (before.get(address) ?? 0n);
      const rest = entryAt(after, i) - knownAtoms - (known.get(address) ?? 0n);
      // Paid and moved on since the last look, the balance is what it was.
      if (rest !== baselineAtoms || spenders.has(address)) {
        const sinceHeight = account.baselineHeight ?? reference?.height ?? 0;
        changed.push({ address, subject, knownAtoms, baselineAtoms, sinceHeight });
      }
    });
    const untilMs = performance.now() + SLOW_MS;
    const leftMs = () => untilMs - performance.now();
    const collectedIn = (of: readonly EvmBlock[]) => this.collectedBefore(of, forwarders);
    const sources = {
      node: this.node,
      repository: this.repository,
      network: id,
      past: this.past,
      leftMs,
      collectedIn,
    };
    const unseen = await unseenCoin(sources, passed, blindFrom, from, changed);
    const {
      upTo: reached,
      end,
      contradicted,
      ...finds
    } = changed.length === 0
      ? { ...NOTHING, upTo: null, end: 'all' as const, contradicted: [] }
      : await this.walk(
          changed,
          unseen,
          { blocks, natives, collected, after: changed.map(({ address }) => valueAt(heldAfter, address)) },
          leftMs,
        );
    if (end !== 'all' && !reached) return waiting();
    const upTo = reached && reached.height < last.height ? reached : null;
    this.isBehind = upTo !== null;
    if (!this.isBehind) this.past.settled();
    for (const { address, height } of contradicted) {
      this.logger.warn(
        `${id}: traces of block ${height} say that more coin came to ${address} than its balance does; credited is ` +
          'what the balance says',
      );
    }
    if (this.names.note(upTo && end === 'time' ? last.height - upTo.height : 0)) {
      this.logger.warn(
        `${this.network.id}: looking into blocks takes longer than they come; coin goes on without traces for a ` +
          'while, which would name its payers',
      );
    }
    const { height, hash } = upTo && upTo.height < from.height ? upTo : from;
    const looked = new Set(addressesOf(finds.baselines));
    for (const address of unremembered) {
      if (!looked.has(address)) baselines.push({ address, height, hash, unexplainedAtoms: 0n });
    }
    return {
      transfers: [...earlier.transfers, ...finds.transfers],
      baselines: [...baselines, ...finds.baselines],
      spendings: upTo ? own.filter((spending) => spending.height > upTo.height) : [],
      blindFrom: upTo?.height ?? null,
      unwatched,
    };
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
    accounts: readonly Account[],
    { stretches, recorded }: Unseen,
    { blocks: scanned, natives, collected, after }: Scanned,
    leftMs: () => number,
  ): Promise<Walked> {
    const addresses = addressesOf(accounts);
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
      isToldAgain: (block, held) => past.isToldAgain(block, held),
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

function movementsOf(found: readonly FoundCollection[]): CoinMovement[] {
  return found.map(({ address, block, amountAtoms: atoms }) => ({
    address,
    height: block.height,
    atoms,
  }));
}
