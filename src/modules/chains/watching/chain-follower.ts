import { Logger } from '@nestjs/common';
import type { NetworkConfig } from '../../../config/config.types.js';
import type { Term } from '../data/fenced.statement.js';
import type { LedgerRepository } from '../data/ledger.repository.js';
import type { BlockPoint, ChainIdentity, WatchedCursor } from '../data/ledger.types.js';
import { freshForMs, stuckAfterS } from '../domain/network-state.js';
import { InconsistentNode } from '../node.errors.js';
import type { FollowedChain, Seen } from './followed-chain.types.js';
import { type AnsweredChain, mustBeItsChain } from './identity.js';
import { type ChainBlock, mustBeChained } from './must-be-chained.js';
import { rewind } from './rewind.js';
import type { StepEnd, Watcher } from './watcher.types.js';

/** While catching up: each time wakes every payment that is not final, and a long way may take hours. */
const TELL_EVERY_MS = 30_000;

/** Follows one network block by block, whatever its family. */
export class ChainFollower<A extends AnsweredChain, S extends Seen, B extends ChainBlock> implements Watcher {
  private readonly logger = new Logger(ChainFollower.name);
  private depthToldMs = performance.now();
  /** The term in which this watcher stood at the tip last: before, nobody of ours was looking. */
  private syncedIn: string | null = null;
  readonly counts = { blocks: 0, transfers: 0, reorganisations: 0 };

  constructor(
    private readonly network: NetworkConfig,
    private readonly ledger: LedgerRepository,
    private readonly chain: FollowedChain<A, S, B>,
  ) {}

  async step(term: Term): Promise<StepEnd> {
    try {
      const found = await this.ledger.cursorNow(this.network.id);
      const cursor = found?.cursor ?? null;
      const asked = await this.chain.ask();
      const identity = mustBeItsChain(this.network, asked, cursor);
      if (cursor?.genesisHash === null) await this.ledger.identify(term, identity);
      const seen = await this.chain.see(term, asked, cursor);
      if (!found) return await this.begin(term, seen, identity);
      const end = await this.follow(term, found.cursor, seen, found.at);
      // What is behind must not make the rest late.
      return end !== 'more' && (await this.chain.catchUp?.(term, found.cursor)) ? 'more' : end;
    } catch (error) {
      this.chain.failed?.();
      throw error;
    }
  }

  /** No address of ours existed before the first start, so older blocks hold nothing to find. */
  private async begin(term: Term, seen: S, identity: ChainIdentity): Promise<StepEnd> {
    const start = await this.chain.start(seen);
    if (!start) return 'waiting';
    if (await this.ledger.anyAddress(this.network.family)) {
      this.logger.warn(
        `${this.network.id} is new here and is watched from block ${start.at.height}; addresses of its family were ` +
          'issued earlier, and what they received on it before that block is not seen',
      );
    }
    await this.ledger.begin(term, start.at, start.tips, identity, start.assetKeys);
    return 'more';
  }

  private async follow(term: Term, cursor: WatchedCursor, seen: S, lookedAt: Date): Promise<StepEnd> {
    const { height, hash } = seen.latest;
    if (height < cursor.height) return this.wait(term, cursor, seen);
    if (height === cursor.height)
      return hash === cursor.hash
        ? this.take(term, cursor, seen, [], lookedAt)
        : this.reorganise(term, cursor, seen);
    const blocks = await this.chain.blocksAbove(cursor.height, seen);
    const [first] = blocks;
    if (!first) throw new InconsistentNode('the node answered no blocks');
    if (first.parentHash !== cursor.hash) return this.reorganise(term, cursor, seen);
    mustBeChained(blocks);
    mustBeTip(blocks.at(-1) ?? first, seen.latest);
    return this.take(term, cursor, seen, blocks, lookedAt);
  }

  /** The node's tip is below our cursor: it lags if its tip is a block of ours, else the chain was reorganised. */
  private async wait(term: Term, cursor: WatchedCursor, seen: S): Promise<StepEnd> {
    const { latest } = seen;
    const [ours] = await this.ledger.storedAt(this.network.id, [latest.height]);
    if (ours && ours.hash !== latest.hash) return this.reorganise(term, cursor, seen);
    await this.ledger.observeNode(term, latest.height);
    return 'waiting';
  }

  /** Writes what these blocks brought, or what is new at the tip, with the cursor. */
  private async take(
    term: Term,
    from: WatchedCursor,
    seen: S,
    blocks: readonly B[],
    lookedAt: Date,
  ): Promise<StepEnd> {
    const finds = await this.chain.find(term, from, seen, blocks);
    if (!finds) return 'more';
    const { transfers, collections, tips, assetKeys, sight, alongside } = finds;
    const to = blocks.at(-1) ?? seen.latest;
    const tellsDepth =
      to.height >= seen.latest.height || performance.now() > this.depthToldMs + TELL_EVERY_MS;
    const advanced = await this.ledger.advance(term, {
      family: this.network.family,
      from,
      to,
      blocks,
      tellsDepth,
      transfers,
      collections,
      assetKeys,
      tips,
      lookedAt,
      maxTipAgeS: sight === 'whole' ? stuckAfterS(this.network) : null,
      blindAfterMs: freshForMs(this.network),
      isFirstLook: this.syncedIn !== term.number,
      ...(alongside ? { alongside } : {}),
    });
    if (!advanced) return 'more';
    if (tellsDepth) this.depthToldMs = performance.now();
    this.counts.blocks += blocks.length;
    this.counts.transfers += transfers.length;
    if (advanced.synced) this.syncedIn = term.number;
    await finds.written?.(advanced);
    if (to.height < seen.latest.height || sight === 'partial') return 'more';
    return advanced.synced ? 'synced' : 'waiting';
  }

  private async reorganise(term: Term, cursor: WatchedCursor, { latest }: S): Promise<StepEnd> {
    const { id, family } = this.network;
    const rewound = await rewind(this.ledger, this.chain.headers, term, family, cursor, latest);
    this.chain.reorganised();
    if (!rewound) return 'more';
    this.counts.reorganisations += 1;
    const { depthBlocks, orphaned } = rewound;
    this.warnIfFinal(cursor, cursor.height - depthBlocks);
    this.logger.warn(`${id}: ${depthBlocks} blocks were reorganised, ${orphaned} transfers are missing now`);
    return 'more';
  }

  /** A node that gives up what it called final is on another chain than before, or its finality is worth nothing. */
  private warnIfFinal({ finalizedHeight }: WatchedCursor, ancestor: number): void {
    if (ancestor >= finalizedHeight) return;
    this.logger.error(
      `${this.network.id}: the node gave up blocks that it had called final, from ${finalizedHeight} down to ${ancestor}`,
    );
  }
}

/** Else we would call ourselves at the tip of another chain. */
function mustBeTip(last: BlockPoint, latest: BlockPoint): void {
  if (last.height < latest.height || last.hash === latest.hash) return;
  throw new InconsistentNode(
    `the node's newest block ${latest.height} is ${latest.hash}, and ${last.hash} when it is read`,
  );
}
