import { Logger } from '@nestjs/common';
import type { NetworkConfig } from '../../../config/config.types.js';
import { exponentialWaitMs } from '../../../kernel/backoff.js';
import type { CrossCheck } from '../chains.types.js';
import { LeaseLost, type Term } from '../data/fenced.statement.js';
import type { LedgerRepository } from '../data/ledger.repository.js';
import type { WatchFailure } from '../data/ledger.types.js';
import type { WatchLeaseRepository } from '../data/watch-lease.repository.js';
import type { WatcherStats } from '../health.types.js';
import { NoCommonAncestor } from '../node.errors.js';
import { describeFailure, publicReason } from './node-failure.js';
import type { StepEnd, Watcher } from './watcher.types.js';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** One network's turn at the job: makes steps while the lease is ours, and waits longer the longer it fails. */
export class WatchLoop {
  private readonly logger = new Logger(WatchLoop.name);
  private failures = 0;
  private notBeforeMs = 0;
  private lastError: string | null = null;
  private noted: { readonly term: Term; readonly verdict: CrossCheck | null } | null = null;
  private underWay: Promise<unknown> = Promise.resolve();
  private stopped = false;
  /** What the database says of it; unknown until it was said in this term. */
  private told: { readonly term: Term; readonly reason: string | null } | null = null;

  constructor(
    private readonly network: NetworkConfig,
    private readonly watcher: Watcher,
    private readonly lease: WatchLeaseRepository,
    private readonly ledger: LedgerRepository,
    /** The second node, where there is one. */
    private readonly check: { readonly verdict: CrossCheck } | null = null,
  ) {}

  /** One step; `true` when another should follow at once. Never rejects: a streak of failures is logged once. */
  async turn(signal: AbortSignal): Promise<boolean> {
    if (this.stopped || signal.aborted || performance.now() < this.notBeforeMs) return false;
    const term = this.lease.termOf(this.network.id);
    if (!term) return false;
    const turn = this.turnIn(term);
    this.underWay = turn;
    return turn;
  }

  /** No step begins any more; resolves when the one that is under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.underWay;
  }

  stats(): WatcherStats {
    return {
      network: this.network.id,
      watching: this.lease.termOf(this.network.id) !== null,
      ...this.watcher.counts,
      failures: this.failures,
      lastError: this.lastError,
    };
  }

  private async turnIn(term: Term): Promise<boolean> {
    try {
      const end = await this.stepChecked(term);
      await this.recovered(term);
      return end === 'more';
    } catch (error) {
      if (error instanceof LeaseLost) this.replaced(term, error);
      else await this.failed(term, error);
      return false;
    }
  }

  /** What the second node says is written however the step ends: other instances close the option by it too. */
  private async stepChecked(term: Term): Promise<StepEnd> {
    let end: StepEnd;
    try {
      end = await this.watcher.step(term);
    } catch (error) {
      // What ended the step is what is told of, whatever becomes of the note.
      await this.noteVerdict(term).catch((err: unknown) =>
        this.logger.warn({ err }, 'what the second node says could not be noted'),
      );
      throw error;
    }
    await this.noteVerdict(term);
    return end;
  }

  /** Once for each verdict: within a term nobody else writes it. */
  private async noteVerdict(term: Term): Promise<void> {
    const verdict = this.check?.verdict ?? null;
    if (this.noted?.term === term && this.noted.verdict === verdict) return;
    await this.ledger.observeCrossCheck(term, verdict);
    this.noted = { term, verdict };
  }

  /** Not a failure: somebody else does the work. */
  private replaced(term: Term, error: LeaseLost): void {
    this.lease.lost(term);
    this.logger.warn(error.message);
  }

  private async recovered(term: Term): Promise<void> {
    if (this.failures > 0)
      this.logger.log(`${this.network.id} is watched again after ${this.failures} failures`);
    this.failures = 0;
    this.lastError = null;
    await this.tell(term, null);
  }

  /** Other instances and the readiness say why a network is closed, before it has a cursor too. */
  private async tell(term: Term, failure: WatchFailure | null): Promise<void> {
    const reason = failure?.reason ?? null;
    if (this.told?.term === term && this.told.reason === reason) return;
    this.told = { term, reason };
    await this.ledger.observeFailure(term, failure).catch((err: unknown) => {
      this.told = null;
      this.logger.warn({ err }, 'why a network is closed, or open again, could not be noted');
    });
  }

  private async failed(term: Term, error: unknown): Promise<void> {
    this.notBeforeMs = performance.now() + exponentialWaitMs(this.failures, FIRST_WAIT_MS, LONGEST_WAIT_MS);
    this.failures += 1;
    const reason = describeFailure(error, this.network.rpcUrl, this.network.secondRpcUrl);
    if (reason !== this.lastError)
      this.logger.error(`${this.network.id} cannot be watched at the moment: ${reason}`);
    this.lastError = reason;
    await this.tell(term, { reason: publicReason(error), isHalted: error instanceof NoCommonAncestor });
  }
}
