import { Metrics } from '../../../src/platform/observability/metrics.js';
import type { Service } from './service.js';

/** How many security events of a kind the service's metric tells of; NaN while it tells of none. */
export async function securityEvents({ app }: Service, event: string): Promise<number> {
  const text = (await app.get(Metrics).text()) ?? '';
  return Number(new RegExp(`rappen_security_events_total\\{event="${event}"\\} (\\d+)`).exec(text)?.[1]);
}
