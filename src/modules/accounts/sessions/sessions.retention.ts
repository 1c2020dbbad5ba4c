import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { Retention } from '../../../platform/retention/retention.js';
import { retainedAccounts } from './data/retained-accounts.sql.js';

/** The audit log stays for ever, but for the addresses from which people did what it tells. */
@Injectable()
export class AccountsRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.retention.keep(...retainedAccounts(this.config.retention.addressDays));
  }
}
