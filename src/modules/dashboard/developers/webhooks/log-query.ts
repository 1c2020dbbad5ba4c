import { DELIVERY_STATES, type DeliveryFilter } from '../../../webhooks/webhooks.types.js';
import type { Text } from '../../language/german/german.js';

/** What a page of the log can be asked for: a state, or all that has failed and not arrived. */
export const LOG_CHOICES = [
  { value: '', text: 'All|deliveries' },
  { value: 'not-arrived', text: 'Failed, not arrived' },
  { value: 'pending', text: 'Waiting|deliveries' },
  { value: 'held', text: 'Held' },
  { value: 'delivered', text: 'Delivered' },
  { value: 'failed', text: 'Given up' },
] as const satisfies readonly { readonly value: string; readonly text: Text }[];

export interface LogQuery {
  readonly filter: Pick<DeliveryFilter, 'state' | 'failed' | 'after'>;
  /** As the form shows it. */
  readonly chosen: string;
  readonly isPaged: boolean;
}

/** Reads what a page's query asks of the log. What it does not know is left out: the form shows what is shown. */
export function readLog(query: Readonly<Record<string, unknown>>): LogQuery {
  const chosen = LOG_CHOICES.find(({ value }) => value === query['state'])?.value ?? '';
  const after =
    typeof query['after'] === 'string' && /^[1-9]\d{0,17}$/.test(query['after']) ? query['after'] : null;
  const state = DELIVERY_STATES.find((one) => one === chosen);
  return {
    filter: { ...(state && { state }), failed: chosen === 'not-arrived', ...(after !== null && { after }) },
    chosen,
    isPaged: after !== null,
  };
}

/** "2026-11-21T14:32" of a `datetime-local` field, which is labelled UTC; `null` for anything else. */
export function readUtcMinute(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return null;
  const at = new Date(`${text}Z`);
  // 31 February is a date to Date, but not to anybody else.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text.slice(0, 10)) ? at : null;
}
