import type { NetworkConfig } from '../../../config/config.types.js';
import type { Tips, WatchedCursor } from '../data/ledger.types.js';
import { fallbackAgeS } from '../domain/network-state.js';
import { InconsistentNode } from '../node.errors.js';
import type { OurBlocks } from '../watching/our-blocks.js';
import type { EvmHeader, EvmNode, EvmTips } from './node/evm-node.types.js';

/** Requests that one look may spend on finding the height of an age. */
const MOST_TRIES = 4;

/** Up to where blocks were safe and final already: what is told of lower ones changes nothing. */
type Known = Pick<WatchedCursor, 'safeHeight' | 'finalizedHeight'>;

/**
 * What is safe and final: as the node says, and by the age of blocks where it truly knows no such tag. Whatever it says,
 * only blocks that were read become final: above them, and for another block than the one that was read, nothing does
 * (ADR 31).
 */
export class Finality {
  /** The highest block that was found old enough. */
  private old: EvmHeader | null = null;
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

  /**
   * @returns never less than what was known
   * @throws InconsistentNode where what would become safe or final is another block than the one that was read
   */
  async of(told: EvmTips, known: Known, ours: Pick<OurBlocks, 'holding'>): Promise<Tips> {
    const old = told.isTimed ? await this.oldEnough(told.latest) : null;
    const safe = told.tagged.filter(({ tag, height }) => tag === 'safe' && height > known.safeHeight);
    const final = [...told.tagged.filter(({ tag }) => tag === 'finalized'), ...(old ? [old] : [])];
    const held = await ours.holding([
      ...safe,
      ...final.filter(({ height }) => height > known.finalizedHeight),
    ]);
    const reached = (height: number | null | undefined, before: number) =>
      typeof height === 'number' && held.has(height) ? Math.max(before, height) : before;
    const byTag = reached(told.finalizedHeight, known.finalizedHeight);
    const byAge = reached(old?.height, known.finalizedHeight);
    const hasTag = told.finalizedHeight !== null;
    const finalizedHeight = !told.isTimed ? byTag : hasTag ? Math.min(byTag, byAge) : byAge;
    const safeHeight = Math.max(reached(told.safeHeight, known.safeHeight), finalizedHeight);
    return { nodeHeight: told.latest.height, safeHeight, finalizedHeight };
  }

  /** After a reorganisation, or a failure, nothing that was found need be on the chain. */
  forget(): void {
    this.old = null;
  }

  /**
   * By the blocks' own times, never by counting blocks: a count is half a minute on one chain and a day on another.
   * Too low for a moment where the pace of blocks changes; never too high. What is final stays so, therefore one false
   * time must not decide: the newest block and the one that is old enough are asked for again, and nothing is older than it is
   * by our own clock.
   */
  private async oldEnough(latest: EvmHeader): Promise<EvmHeader | null> {
    if (this.old && this.old.height >= latest.height) this.forget();
    if (await this.isToldAgain(latest)) {
      const untilMs = Math.min(latest.time.getTime(), (await this.now()).getTime());
      await this.findOld(latest, untilMs);
    }
    return this.old;
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
