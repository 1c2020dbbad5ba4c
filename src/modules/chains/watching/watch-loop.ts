import { Logger } from '@nestjs/common';
import { exponentialWaitMs } from '../../../kernel/backoff.js';
import type { NetworkConfig } from '../../../config/config.types.js';
import type { CrossCheck, WatcherStats } from '../chains.types.js';
import type { LedgerRepository } from '../data/ledger.repository.js';
import type { WatchLease } from '../data/watch-lease.js';
import { describeFailure } from './node-failure.js';
import type { StepEnd, Watcher } from './watcher.types.js';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** One network's turn at the job: holds the lease, makes steps, and waits longer the longer it fails. */
export class WatchLoop {
  private readonly logger = new Logger(WatchLoop.name);
  private failures = 0;
  private notBeforeMs = 0;
  private lastError: string | null = null;

  constructor(
    private readonly network: NetworkConfig,
    private readonly watcher: Watcher,
    private readonly lease: WatchLease,
    private readonly ledger: LedgerRepository,
    /** The second node, where there is one. */
    private readonly check: { readonly verdict: CrossCheck } | null = null,
  ) {}

  /** One step; `true` when another should follow at once. Never rejects: a streak of failures is logged once. */
  async turn(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted || performance.now() < this.notBeforeMs) return false;
    try {
      if (!(await this.lease.hold(this.network.id))) return false;
      const end = await this.stepChecked();
      this.recovered();
      return end === 'more';
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  stats(): WatcherStats {
    return {
      network: this.network.id,
      watching: this.lease.holds(this.network.id),
      ...this.watcher.counts,
      failures: this.failures,
      lastError: this.lastError,
    };
  }

  /** What the second node says is written however the step ends: other instances close the option by it too. */
  private async stepChecked(): Promise<StepEnd> {
    try {
      return await this.watcher.step();
    } finally {
      await this.ledger.observeCrossCheck(this.network.id, this.check?.verdict ?? null);
    }
  }

  private recovered(): void {
    if (this.failures > 0)
      this.logger.log(`${this.network.id} is watched again after ${this.failures} failures`);
    this.failures = 0;
    this.lastError = null;
  }

  private failed(error: unknown): void {
    this.notBeforeMs = performance.now() + exponentialWaitMs(this.failures, FIRST_WAIT_MS, LONGEST_WAIT_MS);
    this.failures += 1;
    const reason = describeFailure(error, this.network.rpcUrl, this.network.secondRpcUrl);
    if (reason !== this.lastError)
      this.logger.error(`${this.network.id} cannot be watched at the moment: ${reason}`);
    this.lastError = reason;
  }
}
