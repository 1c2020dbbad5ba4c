import { Injectable, type OnModuleInit } from '@nestjs/common';
import { olderThan } from '../../platform/retention/data/older-than.sql.js';
import { Retention } from '../../platform/retention/retention.js';

/** Long enough to look into a complaint after holidays; the log is the fastest growing table (docs/operations.md). */
const REQUEST_DAYS = 14;

@Injectable()
export class AuthRetention implements OnModuleInit {
  constructor(private readonly retention: Retention) {}

  onModuleInit(): void {
    this.retention.keep({
      what: 'api_request',
      table: 'api_request',
      aged: olderThan('at', REQUEST_DAYS),
      over: 'true',
    });
  }
}
