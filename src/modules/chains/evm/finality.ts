import type { NetworkConfig } from '../../../config/config.types.js';
import type { Tips } from '../data/ledger.types.js';
import { InconsistentNode } from '../node.errors.js';
import type { EvmHeader, EvmNode, EvmTips, TaggedBlock } from './node/evm-node.types.js';

/** No network that we know takes less than this for real finality, but for those that say so themselves. */
const LEAST_FALLBACK_S = 900;
/** Requests that one look may spend on finding the height of an age. */
const MOST_TRIES = 4;

/** How old a block must be to stand in for a final one, where a node does not know the tag. */
export function fallbackAgeS({ finalityFallbackS, finalizedAfterS }: NetworkConfig): number {
  return finalityFallbackS ?? Math.max(LEAST_FALLBACK_S, finalizedAfterS);
}

/** What is safe and final: as the node says, and by the age of blocks where it truly knows no such tag (ADR 31). */
export class Finality {
  /** The highest block that was found old enough. */
  private old: EvmHeader | null = null;
  /** Tagged blocks that stand where the node says, by their hashes. */
  private onChain: ReadonlySet<string> = new Set();
  private readonly ageMs: number;
  private readonly intervalMs: number;

  constructor(
    network: NetworkConfig,
    private readonly node: Pick<EvmNode, 'header'>,
    /** Our own clock. */
    private readonly now: () => Promise<Date>,
  ) {
    this.ageMs = fallbackAgeS(network) * 1_000;
    this.intervalMs = network.blockIntervalS * 1_000;
  }

  async of({ latest, safeHeight, finalizedHeight, isTimed, tagged }: EvmTips): Promise<Tips> {
    await this.mustBeOnChain(tagged);
    const byTime = isTimed ? await this.heightByTime(latest) : Infinity;
    const final = Math.min(finalizedHeight ?? Infinity, byTime);
    return {
      nodeHeight: latest.height,
      safeHeight: Math.max(safeHeight ?? final, final),
      finalizedHeight: final,
    };
  }

  /** After a reorganisation nothing that was found need be on the chain. */
  forget(): void {
    this.old = null;
    this.onChain = new Set();
  }

  /** A tag that another chain's node answered, as behind a balancer, says nothing of ours: its height alone might fit. */
  private async mustBeOnChain(tagged: readonly TaggedBlock[]): Promise<void> {
    const unknown = tagged.filter(({ hash }) => !this.onChain.has(hash));
    const headers = await Promise.all(unknown.map(({ height }) => this.node.header(height)));
    for (const [i, { tag, height, hash }] of unknown.entries()) {
      if (headers[i]?.hash === hash) continue;
      throw new InconsistentNode(
        `the node calls block ${height} with the hash ${hash} ${tag}, and its chain has ${headers[i]?.hash ?? 'none'} there`,
      );
    }
    this.onChain = new Set(tagged.map(({ hash }) => hash));
  }

  /**
   * By the blocks' own times, never by counting blocks: a count is half a minute on one chain and a day on another.
   * Too low for a moment where the pace of blocks changes; never too high. What is final stays so, therefore one false
   * time must not decide: the newest block and the one that is old enough are asked for again, and nothing is older than it is
   * by our own clock.
   */
  private async heightByTime(latest: EvmHeader): Promise<number> {
    if (this.old && this.old.height >= latest.height) this.forget();
    if (await this.isToldAgain(latest)) {
      const untilMs = Math.min(latest.time.getTime(), (await this.now()).getTime());
      await this.findOld(latest, untilMs);
    }
    return this.old?.height ?? -1;
  }

  private async findOld(latest: EvmHeader, untilMs: number): Promise<void> {
    let paceMs = this.old ? pace(this.old, latest) : this.intervalMs;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const guess = Math.max(0, latest.height - Math.ceil(this.ageMs / Math.max(1, paceMs)));
      if (guess <= (this.old?.height ?? -1)) return;
      const header = await this.node.header(guess);
      if (!header) return;
      if (untilMs - header.time.getTime() >= this.ageMs) {
        if (await this.isToldAgain(header)) this.old = header;
        return;
      }
      // As far as our clock has come: one that is slow only makes the search go farther back.
      paceMs = ((untilMs - header.time.getTime()) / Math.max(1, latest.height - guess)) * 0.9;
    }
  }

  /**
   * @returns `false` where the node has another block there, or none, by now: after a reorganisation, or behind a balancer
   * @throws InconsistentNode where it tells the same block otherwise
   */
  private async isToldAgain(header: EvmHeader): Promise<boolean> {
    const again = await this.node.header(header.height);
    if (again?.hash !== header.hash) return false;
    if (again.time.getTime() === header.time.getTime()) return true;
    throw new InconsistentNode(
      `the node says that block ${header.height} is of ${header.time.toISOString()}, and of ${again.time.toISOString()}`,
    );
  }
}

function pace(from: EvmHeader, to: EvmHeader): number {
  return (to.time.getTime() - from.time.getTime()) / Math.max(1, to.height - from.height);
}
