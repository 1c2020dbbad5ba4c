import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readClock } from '../../../database/clock.js';
import type { StoredEvent } from '../webhooks.types.js';

/** Ids of one millisecond are in no order, so a page that was cut by them could part what belongs together. */
const LIST = `
  SELECT id, type, sequence, body, created_at AS "createdAt" FROM event
  WHERE id > $1 AND merchant_id = $2 AND created_at >= $3 AND id <> ALL ($4)
  ORDER BY created_at, sequence, id LIMIT $5`;

/** Which events are asked for. */
export interface EventRange {
  /** Only ids after it. */
  readonly fromId: string;
  readonly since: Date;
  readonly except: readonly string[];
}

/** The rows of events, for readers. */
@Injectable()
export class EventsRepository {
  constructor(private readonly dataSource: DataSource) {}

  now(): Promise<Date> {
    return readClock(this.dataSource);
  }

  /** Oldest first, whatever the page's size; events of one intent in their sequence. */
  list(merchantId: string, { fromId, since, except }: EventRange, limit: number): Promise<StoredEvent[]> {
    return this.dataSource.query<StoredEvent[]>(LIST, [fromId, merchantId, since, except, limit]);
  }
}
