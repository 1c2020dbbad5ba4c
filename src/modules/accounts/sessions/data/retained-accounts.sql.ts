import { olderThan } from '../../../../platform/retention/data/older-than.sql.js';
import type { Retained } from '../../../../platform/retention/data/retained-rows.repository.js';
import { DEVICE_DAYS } from './known-devices.repository.js';
import { SESSION_ENDED } from './sessions.repository.js';

/** Long enough to answer "did I use that link?". */
const LINK_DAYS = 30;

/** @param addressDays how long the audit log says from which address somebody acted */
export const retainedAccounts = (addressDays: number): Retained[] => [
  { what: 'session', table: 'session', over: SESSION_ENDED },
  { what: 'passkey_challenge', table: 'passkey_challenge', over: 'expires_at < clock_timestamp()' },
  { what: 'known_device', table: 'known_device', over: olderThan('last_seen_at', DEVICE_DAYS) },
  { what: 'guess_delay', table: 'guess_delay', over: olderThan('next_at', 1) },
  { what: 'password_request', table: 'password_request', over: olderThan('asked_at', 1) },
  { what: 'one_time_link', table: 'one_time_link', over: olderThan('expires_at', LINK_DAYS) },
  {
    what: 'audit_entry_address',
    table: 'audit_entry',
    over: `address IS NOT NULL AND ${olderThan('at', addressDays)}`,
    erase: 'address = NULL',
  },
];
