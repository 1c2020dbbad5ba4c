import { randomBytes } from 'node:crypto';
import { newId } from '../../../src/kernel/ids.js';
import { ALL } from '../service/read-parameters.js';

/** How something of a merchant's is named in a form or in a query: the prefix of an id, or one of these. */
type Kind = string;
const PATTERNS: Readonly<Record<Kind, RegExp>> = {
  actor: /"actor":"([^"]+@[^"]+)"/,
  address: /"address":"(0x[0-9a-f]{40})"/,
  collecting: /"txid":"([^"]+)"/,
  delivery: /"id":(\d+)/,
  email: /"email":"([^"]+)"/,
  // What is made without a request has none; of those that changed something later only the API's are listed.
  trace: /"cause":"created"[^}]*"trace_id":"([0-9a-f]{32})"/,
  txid: /"txid":"([^"]+)"/,
};
/** The table that one is taken from; of ids, first what a request could do most with: money that waits. */
const TABLES: Readonly<Record<Kind, string>> = {
  actor: 'audit_entry',
  address: 'address',
  collecting: 'collection',
  delivery: 'delivery',
  email: 'one_time_link',
  trace: 'transition',
  txid: 'transfer',
};
const ID = /^([a-z]+)_[0-9a-z]{30}$/;

/** What a parameter of a page names, and the parameters without which it names nothing. */
type Naming = readonly [parameter: string, kind: Kind, beside?: Readonly<Record<string, string>>];

const PAYMENTS: readonly Naming[] = [
  ['older', 'pi'],
  ['newer', 'pi'],
  ['q', 'pi'],
  ['q', 'address'],
  ['q', 'txid'],
];

/** Parameters of pages that name something of a merchant's, with what: the only way but a path and a form (`CHANGES`). */
export const QUERIES: Readonly<Record<string, readonly Naming[]>> = {
  'GET /dashboard/payments': PAYMENTS,
  'GET /dashboard/payments/export.csv': PAYMENTS,
  'GET /dashboard/payments/views/new': PAYMENTS,
  'GET /dashboard/refunds/new': [['payment', 'pi']],
  'GET /dashboard/settings/wallets/addresses': [
    ['key', 'xk'],
    ['key', 'dst'],
    ['before', 'address'],
  ],
  'GET /dashboard/settings/audit': [['person', 'actor']],
  'GET /dashboard/developers/requests': [['trace', 'trace']],
  'GET /dashboard/developers/webhooks/:id': [['after', 'delivery']],
  'GET /dashboard/treasury/sent.json': [['txid', 'collecting', { network: 'ethereum' }]],
};

/** Queries that answer for one's own what they answer for nobody's: they are repeated in a form, not looked at, or say where to begin. */
export const FINDING_NOTHING: readonly string[] = [
  ...PAYMENTS.map(([parameter, kind]) => `GET /dashboard/payments/views/new ${parameter} ${kind}`),
  'GET /dashboard/payments/export.csv older pi',
  'GET /dashboard/payments/export.csv newer pi',
  'GET /dashboard/settings/wallets/addresses key xk',
  'GET /dashboard/settings/wallets/addresses before address',
];

const FILTERS = ['show', 'status', 'from', 'to', 'currency', 'asset', 'min', 'max'];

/** Every other parameter: a state, a day, a place of the configuration, a number in an order that all merchants share. */
export const NAMING_NOTHING: Readonly<Record<string, readonly string[]>> = {
  'GET /dashboard': ['days'],
  'GET /dashboard/alerts': ['show', 'page'],
  'GET /dashboard/confirm': ['to'],
  'GET /dashboard/developers/requests': ['status', 'method', 'before'],
  'GET /dashboard/developers/webhooks/:id': ['state'],
  'GET /dashboard/payments': FILTERS,
  'GET /dashboard/payments/accounting/export.csv': [ALL, 'from', 'to'],
  'GET /dashboard/payments/export.csv': FILTERS,
  'GET /dashboard/payments/views/new': FILTERS,
  'GET /dashboard/settings/audit': ['action', 'before'],
  'GET /dashboard/settings/wallets/address': ['network'],
  'GET /dashboard/settings/wallets/new': ['network'],
  'GET /dashboard/treasury/collect': ['network', 'asset'],
  'GET /dashboard/treasury/plan.json': ['network', 'asset'],
  'GET /dashboard/treasury/safe.json': ['network', 'asset', 'part'],
  'GET /dashboard/treasury/sent.json': ['network'],
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
  if (kind === 'collecting') return `0x${hex}`;
  if (kind === 'delivery') return String(10n ** 15n);
  if (kind === 'email' || kind === 'actor') return `nobody-${hex.slice(0, 8)}@staff.example`;
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

/** An answer of the dashboard without what the time alone changes in it. */
export function timeless(body: string): string {
  return masked(body)
    .replaceAll(/<time [^>]*>[^<]*<\/time>/g, '(time)')
    .replaceAll(/"createdAt":\d+|"checksum":"0x[0-9a-f]{64}"/g, '(time)')
    .replaceAll(/webhook-(timestamp: \d+|signature: v1,[\w+/&#;]+)/g, 'webhook-(time)');
}

/** @returns in which lines one answer is not like the other */
export function unlike([one = '', other = '']: readonly string[]): string[] {
  const [before, after] = [one.split('\n'), other.split('\n')];
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ];
}
