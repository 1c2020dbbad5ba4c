import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.types.js';
import { olderThan } from '../../platform/retention/data/older-than.sql.js';
import { Retention } from '../../platform/retention/retention.js';
import { COUNTED_LONG_AGO } from './data/alert-mails.repository.js';

/** An alert that is not over stays, whatever its age: it is what keeps the same trouble from being told again. */
@Injectable()
export class AlertsRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    const { alertDays } = this.config.retention;
    this.retention.keep(
      { what: 'alert', table: 'alert', over: olderThan('resolved_at', alertDays) },
      { what: 'alert_mail', table: 'alert_mail', over: COUNTED_LONG_AGO },
    );
  }
}
