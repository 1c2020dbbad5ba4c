import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.types.js';
import { olderThan, Retention } from '../../platform/retention/retention.js';

/**
 * Events stay for ever: they are what a merchant was told. That they arrived, and what was answered, does not.
 * What may still be sent is never removed, however old.
 */
@Injectable()
export class WebhooksRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    const { attemptDays, deliveryDays } = this.config.retention;
    this.retention.keep(
      {
        what: 'delivery_attempt',
        table: 'delivery_attempt',
        aged: olderThan('started_at', attemptDays),
        over: 'true',
      },
      {
        what: 'delivery',
        table: 'delivery',
        aged: olderThan('created_at', deliveryDays),
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
    );
  }
}
