import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.types.js';
import { Retention } from '../../platform/retention/retention.js';
import { retainedDeliveries } from './data/retained-deliveries.sql.js';

/** Events stay for ever: they are what a merchant was told. That they arrived, and what was answered, does not. */
@Injectable()
export class WebhooksRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.retention.keep(...retainedDeliveries(this.config.retention));
  }
}
