import { olderThan } from '../../../platform/retention/data/older-than.sql.js';
import type { Retained } from '../../../platform/retention/data/retained-rows.repository.js';

/** What may still be sent is never removed, however old. */
export const retainedDeliveries = (days: { attemptDays: number; deliveryDays: number }): Retained[] => [
  {
    what: 'delivery_attempt',
    table: 'delivery_attempt',
    aged: olderThan('started_at', days.attemptDays),
    over: 'true',
  },
  {
    what: 'delivery',
    table: 'delivery',
    aged: olderThan('created_at', days.deliveryDays),
    // One that was sent again lately has tries that somebody may still want to see.
    over: `state IN ('delivered', 'failed')
      AND NOT EXISTS (SELECT FROM delivery_attempt a WHERE a.delivery_id = delivery.id)`,
  },
  {
    what: 'webhook_previous_secret',
    table: 'webhook_endpoint',
    over: 'previous_secret_until < clock_timestamp()',
    erase: 'previous_secret = NULL, previous_secret_until = NULL',
  },
];
