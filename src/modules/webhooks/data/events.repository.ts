import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readClock } from '../../../database/clock.js';
import type { StoredEvent } from '../webhooks.types.js';

const LIST = `
  SELECT * FROM (
    SELECT id, type, sequence, body, created_at AS "createdAt" FROM event
    WHERE id > $1 AND merchant_id = $2 AND created_at >= $3 AND id <> ALL ($4) ORDER BY id LIMIT $5
  ) page ORDER BY "createdAt", sequence, id`;

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

  /** The lowest ids of the range, oldest first; events of one intent in their sequence. */
  list(merchantId: string, { fromId, since, except }: EventRange, limit: number): Promise<StoredEvent[]> {
    return this.dataSource.query<StoredEvent[]>(LIST, [fromId, merchantId, since, except, limit]);
  }
}
