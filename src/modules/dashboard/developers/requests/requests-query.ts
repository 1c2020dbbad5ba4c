import type { RequestFilter } from '../../../auth/auth.types.js';
import type { PlainText } from '../../language/german/german.js';

export const METHODS = ['GET', 'POST', 'HEAD'] as const;

interface StatusChoice {
  readonly value: string;
  /** `null`: the value says it. */
  readonly text: PlainText | null;
  readonly from: number;
  readonly to: number;
}

/** What the list can be narrowed to: a hundred of statuses, all errors, or one status. */
export const STATUSES: readonly [StatusChoice, ...StatusChoice[]] = [
  { value: '', text: 'Any|status or method', from: 0, to: 999 },
  { value: 'ok', text: 'Successful', from: 200, to: 299 },
  { value: 'errors', text: 'All errors', from: 400, to: 599 },
  ...[400, 401, 403, 404, 406, 413, 415, 429, 500, 503].map((status) => ({
    value: String(status),
    text: null,
    from: status,
    to: status,
  })),
];

export interface RequestsQuery {
  readonly filter: RequestFilter;
  /** As the form shows it: what was typed, also where it was wrong. */
  readonly typed: { readonly trace: string; readonly method: string; readonly status: string };
  readonly problem: PlainText | null;
}

/** Reads the filter out of a page's query. Nothing in it is trusted; what is wrong is named and left out. */
export function readRequestsQuery(query: Readonly<Record<string, unknown>>): RequestsQuery {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name].trim() : '');
  const trace = text('trace').toLowerCase();
  const isTrace = /^[0-9a-f]{32}$/.test(trace);
  const status = STATUSES.find(({ value }) => value === text('status')) ?? STATUSES[0];
  const method = METHODS.find((one) => one === text('method')) ?? null;
  const before = /^[1-9]\d{0,17}$/.test(text('before')) ? text('before') : null;
  return {
    filter: {
      traceId: isTrace ? trace : null,
      method,
      status: status.value === '' ? null : { from: status.from, to: status.to },
      before,
    },
    typed: { trace: trace.slice(0, 64), method: method ?? '', status: status.value },
    problem:
      trace === '' || isTrace
        ? null
        : 'A traceId has 32 characters, 0 to 9 and a to f. The list is shown without it.',
  };
}
