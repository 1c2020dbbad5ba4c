import { Injectable } from '@nestjs/common';
import { DomainError, type FieldError } from '../../../kernel/domain-error.js';
import { EventLogService } from '../../webhooks/event-log.service.js';
import type { EventBody, MoneyEventBody } from '../domain/present.js';
import { UNKNOWN_EVENT } from './dto/constraints.js';
import type { PageOfEvents } from './dto/page-of-events.response.js';

export const unknownEvent: FieldError = { parameter: 'after', code: 'unknown_event', detail: UNKNOWN_EVENT };

/** A merchant's events as a list, for a server whose receiver was down or that has none. */
@Injectable()
export class PaymentEventsService {
  constructor(private readonly log: EventLogService) {}

  /** Oldest first. @param after id of an event @throws DomainError `validation-error` when it is none of this merchant's */
  async page(merchantId: string, after: string | null, pageSize: number): Promise<PageOfEvents> {
    const events = await this.log.read(merchantId, after, pageSize + 1);
    if (!events)
      throw new DomainError('invalid', 'validation-error', UNKNOWN_EVENT, { errors: [unknownEvent] });
    const items = events.slice(0, pageSize).map(({ body }) => JSON.parse(body) as EventBody | MoneyEventBody);
    return { items, hasMore: events.length > pageSize };
  }
}
