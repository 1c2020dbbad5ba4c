import { Injectable } from '@nestjs/common';
import { ScheduledJob } from '../../platform/jobs/scheduled-job.js';
import { EventLogRepository, PLACED_AT_ONCE } from './data/event-log.repository.js';
import type { LoggedEvent } from './webhooks.types.js';

/** A reader does it for itself. This keeps short what the first one finds, and what is pending small. */
const EVERY_MS = 5_000;

/**
 * A merchant's events in the order of their commit, the same for every reader and for ever. Positions are given after
 * the commit, to all that can be seen by then, one transaction at a time for each merchant (ADR 40).
 */
@Injectable()
export class EventLogService {
  constructor(private readonly log: EventLogRepository) {}

  /**
   * What was committed by now, from the first event or from the one after `after`.
   * @returns `null` when `after` is no event of this merchant's log
   */
  async read(merchantId: string, after: string | null, limit: number): Promise<LoggedEvent[] | null> {
    await this.place(merchantId);
    const position = after === null ? '0' : await this.log.positionOf(merchantId, after);
    if (position === null) return null;
    return this.log.after(merchantId, position, limit);
  }

  /** Gives a position to whatever of a merchant has been committed and has none. */
  async place(merchantId: string, signal?: AbortSignal): Promise<void> {
    if (!(await this.log.isPending(merchantId))) return;
    while (!signal?.aborted && (await this.log.placeBatch(merchantId)) === PLACED_AT_ONCE);
  }

  @ScheduledJob('webhooks.event-log', EVERY_MS)
  async placeAll(signal: AbortSignal): Promise<void> {
    for (const id of await this.log.pendingMerchants()) await this.place(id, signal);
  }
}
