import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { olderThan, Retention } from '../../../platform/retention/retention.js';
import { DEVICE_DAYS } from './data/known-devices.repository.js';
import { SESSION_ENDED } from './data/sessions.repository.js';

/** Long enough to answer "did I use that link?". */
const LINK_DAYS = 30;

/** The audit log stays for ever, but for the addresses from which people did what it tells. */
@Injectable()
export class AccountsRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.retention.keep(
      { what: 'session', table: 'session', over: SESSION_ENDED },
      { what: 'passkey_challenge', table: 'passkey_challenge', over: 'expires_at < clock_timestamp()' },
      { what: 'known_device', table: 'known_device', over: olderThan('last_seen_at', DEVICE_DAYS) },
      { what: 'guess_delay', table: 'guess_delay', over: olderThan('next_at', 1) },
      { what: 'password_request', table: 'password_request', over: olderThan('asked_at', 1) },
      { what: 'one_time_link', table: 'one_time_link', over: olderThan('expires_at', LINK_DAYS) },
      {
        what: 'audit_entry_address',
        table: 'audit_entry',
        over: `address IS NOT NULL AND ${olderThan('at', this.config.retention.addressDays)}`,
        erase: 'address = NULL',
      },
    );
  }
}
