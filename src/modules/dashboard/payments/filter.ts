import { parseDecimal } from '../../../kernel/decimal.js';
import { CURRENCIES, FIAT_DECIMALS } from '../../../kernel/fiat.js';
import { isId } from '../../../kernel/ids.js';
import { INTENT_STATUSES, type IntentStatus } from '../../../kernel/intent-status.js';
import { DAY_MS, dayOf } from '../../../kernel/text/calendar.js';
import type { PaymentCursor, PaymentFilter } from '../../intents/payments.types.js';
import { pathWith } from '../domain/safe-path.js';
import type { PlainText } from '../language/german/german.js';
import { pathTo } from '../paths.http.js';

export type PageQuery = Readonly<Record<string, unknown>>;

/** A filter as the query says it, what of it could not be read, and how to say it again in links. */
export interface PaymentsQuery {
  readonly filter: PaymentFilter;
  readonly cursor: PaymentCursor | null;
  /** One sentence for each part that was left out because it means nothing. */
  readonly problems: readonly PlainText[];
  /** The filter's own parameters, without the place in the list. */
  readonly parameters: Readonly<Record<string, string>>;
}

export const NAMES = ['show', 'q', 'status', 'from', 'to', 'currency', 'asset', 'min', 'max'] as const;

/** The questions that people really ask. */
export const SHOWN = ['waiting', 'review', 'settled'] as const;
const STATUSES_SHOWN: Readonly<Record<(typeof SHOWN)[number], readonly IntentStatus[] | null>> = {
  waiting: ['initiated', 'pending', 'confirmed'],
  review: null,
  settled: ['settled'],
};

/** A search is a part of a title or a key, an id, an address or a transaction: the longest is an order key. */
const MAX_SEARCH = 255;

/** Reads the filter out of a page's query. Nothing in it is trusted; what is wrong is named and left out. */
export function readPaymentsQuery(query: PageQuery): PaymentsQuery {
  const problems: PlainText[] = [];
  const text = (name: string) => (typeof query[name] === 'string' ? query[name].trim() : '');
  const parameters = Object.fromEntries(
    NAMES.map((name): [string, string] => [name, text(name)]).filter(([, value]) => value !== ''),
  );
  const read = <T>(name: string, parse: (value: string) => T | null, problem: PlainText): T | null => {
    const value = text(name);
    const parsed = value === '' ? null : parse(value);
    if (value !== '' && parsed === null) problems.push(problem);
    return parsed;
  };
  const status = read('status', (value) => oneOf(INTENT_STATUSES, value), 'There is no such status.');
  const lastDay = read('to', dayOf, '“To” is not a date such as 2026-11-21.');
  const shown = read('show', (value) => oneOf(SHOWN, value), 'There is no such tab.');
  const [asset, network] = text('asset').split('@');
  return {
    filter: {
      statuses: within(shown && STATUSES_SHOWN[shown], status),
      inReview: shown === 'review',
      createdFrom: read('from', dayOf, '“From” is not a date such as 2026-11-21.'),
      createdTo: lastDay && new Date(lastDay.getTime() + DAY_MS),
      currency: read('currency', (value) => oneOf(CURRENCIES, value), 'There is no such currency here.'),
      asset: asset || null,
      network: network || null,
      amountFromMinor: read('min', minorOf, '“At least” is not an amount such as 49.90.'),
      amountToMinor: read('max', minorOf, '“At most” is not an amount such as 49.90.'),
      search: text('q').slice(0, MAX_SEARCH) || null,
    },
    cursor: cursorOf(text('older'), 'older') ?? cursorOf(text('newer'), 'newer'),
    problems,
    parameters,
  };
}

/** A link to the same list at another place. */
export function listPath(parameters: PaymentsQuery['parameters'], cursor: PaymentCursor | null): string {
  return pathWith(pathTo('payments'), { ...parameters, ...(cursor && { [cursor.direction]: cursor.id }) });
}

/** The same for what somebody has saved, whichever version of this service saved it. */
export function savedPath({ parameters }: { readonly parameters: PageQuery }): string {
  return listPath(readPaymentsQuery(parameters).parameters, null);
}

export function exportPath(parameters: PaymentsQuery['parameters']): string {
  return pathWith(pathTo('paymentsExport'), parameters);
}

/** What is on the tab and has the status as well. */
function within(
  all: readonly IntentStatus[] | null,
  one: IntentStatus | null,
): readonly IntentStatus[] | null {
  if (one === null) return all;
  return all === null || all.includes(one) ? [one] : [];
}

function oneOf<T extends string>(allowed: readonly T[], value: string): T | null {
  return allowed.find((one) => one === value) ?? null;
}

function minorOf(text: string): bigint | null {
  const minor = parseDecimal(text, FIAT_DECIMALS);
  return minor !== null && minor < 1n << 62n ? minor : null;
}

function cursorOf(id: string, direction: PaymentCursor['direction']): PaymentCursor | null {
  return isId('pi', id) ? { direction, id } : null;
}
