import { LEAST_DELIVERY_DAYS, type ReconciliationConfig, type RetentionConfig } from './config.types.js';
import type { EnvReader } from './environment.js';

const TEN_YEARS = 3_650;

/**
 * How long what is not kept for ever stays. Deliveries are tried for three days and more, and an audit entry's address
 * cannot be forgotten in its first week (the database refuses), hence the least of each.
 */
export function retention(read: EnvReader): RetentionConfig {
  const days = (name: string, fallback: number, least: number) =>
    read.integer(`RETENTION_${name}_DAYS`, fallback, least, TEN_YEARS);
  return {
    deliveryDays: days('DELIVERY', 90, LEAST_DELIVERY_DAYS),
    attemptDays: days('ATTEMPT', 30, 7),
    addressDays: days('ADDRESS', 30, 7),
    alertDays: days('ALERT', 365, 30),
  };
}

/** Two requests a second are within what the free plans of hosted nodes allow beside a watcher. */
export function reconciliation(read: EnvReader): ReconciliationConfig {
  return {
    requestsPerSecond: read.integer('RECONCILE_REQUESTS_PER_SECOND', 2, 0, 1_000),
    addressesPerRequest: read.integer('RECONCILE_ADDRESSES_PER_REQUEST', 500, 1, 5_000),
    roundEveryHours: read.integer('RECONCILE_EVERY_HOURS', 24, 1, 8_760),
  };
}
