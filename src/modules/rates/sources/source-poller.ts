import { setMaxListeners } from 'node:events';
import { exponentialWaitMs, jitter } from '../../../kernel/backoff.js';
import { untilAborted, within } from '../../../platform/deadline.js';
import type { Instant } from '../domain/instant.js';
import { learn, type Observations } from '../domain/observation.js';
import { SourceError } from '../domain/sources/answer.js';
import type { PriceSource } from './price-source.js';

/** A source that fails is asked again soon, then ever less often, but never given up (BTCPay's policy). */
const RETRY_CEILING_MS = 300_000;
const SPREAD = 0.2;

/** What happens to a source, for the log. */
export interface SourceEvents {
  failed(source: string, reason: string): void;
  recovered(source: string, failures: number): void;
}

/** One source, what it last said, and when it is asked again. */
export class SourcePoller {
  observations: Observations = new Map();
  failures = 0;
  private dueMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly source: PriceSource,
    private readonly events: SourceEvents,
    private readonly now: () => Instant,
    private readonly timeoutMs: number,
  ) {}

  get name(): string {
    return this.source.name;
  }

  /** Asks if it is time to. Never throws: a source's failure is its own, and its last prices stay until they are old. */
  async turn(stopping: AbortSignal): Promise<void> {
    const askedAt = this.now();
    if (askedAt.monotonicMs < this.dueMs) return;
    try {
      const answers = await within(this.timeoutMs, stopping, (deadline) => {
        // A request for each pair listens at once, and the signal goes with the turn: a count of them tells of no leak.
        setMaxListeners(0, deadline);
        // Does not rely on the source alone: undici answers an abort only once a connection stands or has failed.
        return untilAborted(this.source.ask(deadline), deadline, () => new SourceError('no answer in time'));
      });
      this.observations = learn(this.observations, answers, askedAt);
      this.succeeded(askedAt);
    } catch (error) {
      if (!stopping.aborted) this.failed(error);
    }
  }

  private succeeded(askedAt: Instant): void {
    this.dueMs = askedAt.monotonicMs + this.source.pace.everyMs;
    if (this.failures > 0) this.events.recovered(this.name, this.failures);
    this.failures = 0;
  }

  /** Said once for a streak: a source that is down for a day is one line, not three hundred. */
  private failed(error: unknown): void {
    const waitMs = exponentialWaitMs(this.failures, this.source.pace.retryMs, RETRY_CEILING_MS);
    this.dueMs = this.now().monotonicMs + jitter(waitMs, SPREAD, Math.random());
    this.failures += 1;
    if (this.failures > 1) return;
    this.events.failed(this.name, error instanceof SourceError ? error.reason : 'internal error');
  }
}
