import { wholeText } from '../../../kernel/text/staff-languages.js';
import type { Say } from '../language/say.js';
import { pathWith } from './safe-path.js';

/** What `dashboard/paging` draws below a table. */
export interface Paging {
  /** "1–50", "51" of one row, or "0" where the page is empty. */
  readonly range: string;
  /** "1,234". */
  readonly total: string;
  readonly previous: string | null;
  readonly next: string | null;
}

const MAX_PAGE = 1_000_000;

/** The page that an address asks for; whatever is no page is the first. */
export function pageNumber(text: unknown): number {
  const page = typeof text === 'string' && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
  return Math.min(page, MAX_PAGE);
}

/** @param query the other parameters of the list, which its links keep */
export function paging(
  say: Pick<Say, 'language'>,
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>>,
  { page, pageSize, total }: { page: number; pageSize: number; total: number },
): Paging {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  const count = (number: number) => wholeText(say.language, number);
  const at = (other: number) => pathWith(path, { ...query, page: other === 1 ? null : other });
  return {
    range: rangeOf(first, last, count),
    total: count(total),
    previous: page > 1 ? at(Math.min(page - 1, Math.max(1, Math.ceil(total / pageSize)))) : null,
    next: page * pageSize < total ? at(page + 1) : null,
  };
}

function rangeOf(first: number, last: number, count: (number: number) => string): string {
  if (first > last) return '0';
  return first === last ? count(first) : `${count(first)}–${count(last)}`;
}
