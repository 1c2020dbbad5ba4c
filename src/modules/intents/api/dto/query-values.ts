import { dayOf } from '../../../../kernel/text/calendar.js';

/*
 * For `@Transform` of class-transformer: what the text of a query parameter says. A text that says nothing of the kind
 * stays what it is, and the constraint beside it refuses it.
 */

interface Given {
  readonly value: unknown;
}

/** Digits only, once: `Number` itself takes an empty text for 0, and `1e3` for a thousand. */
export function toInteger({ value }: Given): unknown {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
}

/** A parameter that may be repeated. */
export function toList({ value }: Given): unknown {
  return Array.isArray(value) ? value : [value];
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** RFC 3339 with offset, once. */
export function toInstant({ value }: Given): unknown {
  return typeof value === 'string' && INSTANT.test(value) && isOnCalendar(value) ? new Date(value) : value;
}

const isOnCalendar = (text: string) => Number.isFinite(Date.parse(text)) && dayOf(text.slice(0, 10)) !== null;
