import { Injectable } from '@nestjs/common';
import { lowestId } from '../../kernel/ids.js';
import { EventsRepository } from './data/events.repository.js';
import type { StoredEvent } from './webhooks.types.js';

/**
 * An event's id and time are older than its commit, so what is read up to the latest one may still get company from before it.
 * Longer than transactions that write events last: a few statements, each of at most 10 s, and idle for at most 15 s.
 */
const OVERLAP_MS = 60_000;

/** How far a reader is. */
export interface EventCursor {
  /** What is older was never asked for. */
  readonly sinceMs: number;
  /** Of the latest event that was read, in ms. */
  readonly atMs: number;
  /** Ids that were read and would be found again. */
  readonly seen: readonly string[];
}

/** A merchant's events as a log, for whoever reads it at a pace of its own. Misses none, in spite of late commits. */
@Injectable()
export class EventsService {
  constructor(private readonly events: EventsRepository) {}

  /** To read what happens from a time on; from now on, by the database's clock, without one. */
  async cursor(since?: Date): Promise<EventCursor> {
    const sinceMs = (since ?? (await this.events.now())).getTime();
    return { sinceMs, atMs: sinceMs, seen: [] };
  }

  /** What the cursor has not seen, at most `limit`, oldest first; events of one intent in their sequence. */
  async after(
    merchantId: string,
    { sinceMs, atMs, seen }: EventCursor,
    limit: number,
  ): Promise<StoredEvent[]> {
    const fromId = lowestId('evt', atMs - OVERLAP_MS);
    return this.events.list(merchantId, { fromId, since: new Date(sinceMs), except: seen }, limit);
  }

  /** The cursor once one more has been dealt with. */
  advance({ sinceMs, atMs, seen }: EventCursor, { id, createdAt }: StoredEvent): EventCursor {
    const latestMs = Math.max(atMs, createdAt.getTime());
    const from = lowestId('evt', latestMs - OVERLAP_MS);
    return { sinceMs, atMs: latestMs, seen: [...seen, id].filter((one) => one > from) };
  }
}
