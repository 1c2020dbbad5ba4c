import { LEAST_DELIVERY_DAYS, type RetentionConfig } from './config.types.js';
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
