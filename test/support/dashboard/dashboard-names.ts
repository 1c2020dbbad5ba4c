import { randomBytes } from 'node:crypto';
import { newId } from '../../../src/kernel/ids.js';

/** How something of a merchant's is named in a form or in a query: the prefix of an id, or one of these. */
type Kind = string;
const PATTERNS: Readonly<Record<Kind, RegExp>> = {
  address: /"address": "(0x[0-9a-f]{40})"/,
  delivery: /"id": (\d+)/,
  email: /"email": "([^"]+)"/,
  trace: /"trace_id": "([0-9a-f]{32})"/,
  txid: /"txid": "([^"]+)"/,
};
/** The table that one is taken from; of ids, first what a request could do most with: money that waits. */
const TABLES: Readonly<Record<Kind, string>> = {
  address: 'address',
  delivery: 'delivery',
  email: 'one_time_link',
  trace: 'transition',
  txid: 'transfer',
};
const ID = /^([a-z]+)_[0-9a-z]{30}$/;

/** Parameters of pages that name something of a merchant's, with what: the only way but a path and a form (`CHANGES`). */
export const QUERIES: Readonly<Record<string, readonly (readonly [parameter: string, kind: Kind])[]>> = {
  'GET /dashboard/payments': [
    ['older', 'pi'],
    ['newer', 'pi'],
    ['q', 'pi'],
    ['q', 'address'],
    ['q', 'txid'],
  ],
  'GET /dashboard/payments/export.csv': [
    ['q', 'pi'],
    ['q', 'address'],
    ['q', 'txid'],
  ],
  'GET /dashboard/refunds/new': [['payment', 'pi']],
  'GET /dashboard/settings/wallets/addresses': [
    ['key', 'xk'],
    ['key', 'dst'],
    ['before', 'address'],
  ],
  'GET /dashboard/settings/audit': [['person', 'email']],
  'GET /dashboard/developers/requests': [['trace', 'trace']],
  'GET /dashboard/developers/webhooks/:id': [['after', 'delivery']],
};

/** @returns what a value of a form or a query names, `null` where it is no name */
export function kindOf(value: unknown): Kind | null {
  const text = [value].flat()[0];
  if (typeof text !== 'string') return null;
  return ID.exec(text)?.[1] ?? (/^[^@\s]+@[^@\s]+$/.test(text) ? 'email' : null);
}

/** @param rows as `tenantRows` answers. @returns a name of this kind that is theirs, and one that nobody has */
export function namesOf(
  rows: Readonly<Record<string, string>>,
  kind: Kind,
): [theirs: string, nobodys: string] {
  const text = PATTERNS[kind] ? rows[TABLES[kind]!]! : [rows['review_entry'], ...Object.values(rows)].join();
  const theirs = (PATTERNS[kind] ?? new RegExp(`"(${kind}_[0-9a-z]{30})"`)).exec(text)?.[1];
  if (theirs === undefined) throw new Error(`nothing of the other merchant's is named by ${kind}`);
  return [theirs, nobodysLike(theirs, kind)];
}

/** Of an id's time, so that it has the same place in a list. */
function nobodysLike(theirs: string, kind: Kind): string {
  const hex = randomBytes(32).toString('hex');
  if (kind === 'address') return `0x${hex.slice(0, 40)}`;
  if (kind === 'delivery') return String(10n ** 15n);
  if (kind === 'email') return `nobody-${hex.slice(0, 8)}@staff.example`;
  if (kind === 'trace') return hex.slice(0, 32);
  return theirs.slice(0, -20) + newId('pi').slice(-20);
}

/** An answer without what tells one request from another: what it named, its trace, and when it was given. */
export function masked(body: string, names: readonly string[] = []): string {
  return names
    .reduce(
      (text, name) => text.replaceAll(name, '(name)').replaceAll(encodeURIComponent(name), '(name)'),
      body,
    )
    .replaceAll(/\b[0-9a-f]{32}\b/g, '(trace)')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC/g, '(time)');
}

/** @returns in which lines one answer is not like the other */
export function unlike([one = '', other = '']: readonly string[]): string[] {
  const [before, after] = [one.split('\n'), other.split('\n')];
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ];
}
