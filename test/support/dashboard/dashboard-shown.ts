import { namesOf } from './dashboard-names.js';

type Rows = Readonly<Record<string, string>>;

/** What an owner is shown by a page of their merchant's. */
export interface Shown {
  /** What it has to be asked with to show anything; of the merchant's rows, as `tenantRows` answers. */
  readonly query?: (rows: Rows) => Readonly<Record<string, string>>;
  /** Of an answer without a name of anything of the merchant's (a form, figures, a state): a part of it, or `null` for any. */
  readonly says?: string | null;
}

const NAMES_NOTHING: Shown = { says: null };
const PLACE: Shown = { query: () => ({ network: 'ethereum', asset: 'USDC' }) };
const DAY_MS = 86_400_000;

/**
 * The pages, lists and files that are not like the others. Each that is not here names something of the merchant's when it is
 * asked without a query (an id, an address, a name …), or a test fails: of one that somebody adds, too.
 */
export const SHOWN: Readonly<Record<string, Shown>> = {
  'GET /dashboard/account': NAMES_NOTHING,
  'GET /dashboard/account/password': NAMES_NOTHING,
  'GET /dashboard/account/recovery-codes': NAMES_NOTHING,
  'GET /dashboard/account/second-factor': NAMES_NOTHING,
  'GET /dashboard/confirm': NAMES_NOTHING,
  'GET /dashboard/developers/keys/new': NAMES_NOTHING,
  'GET /dashboard/developers/webhooks/new': NAMES_NOTHING,
  'GET /dashboard/invitations': NAMES_NOTHING,
  // Shown to whoever holds the link, and here it is nobody's.
  'GET /dashboard/invitations/link/:token': NAMES_NOTHING,
  'GET /dashboard/payments/accounting': NAMES_NOTHING,
  'GET /dashboard/payments/accounting/export.csv': { query: () => ({ from: dayIn(-1), to: dayIn(1) }) },
  'GET /dashboard/payments/views/new': NAMES_NOTHING,
  'GET /dashboard/refunds/:id/state.json': NAMES_NOTHING,
  'GET /dashboard/settings': NAMES_NOTHING,
  'GET /dashboard/settings/appearance': NAMES_NOTHING,
  'GET /dashboard/settings/payments': NAMES_NOTHING,
  'GET /dashboard/settings/people/new': NAMES_NOTHING,
  'GET /dashboard/settings/wallets': NAMES_NOTHING,
  'GET /dashboard/settings/wallets/address': NAMES_NOTHING,
  'GET /dashboard/settings/wallets/new': NAMES_NOTHING,
  'GET /dashboard/settings/wallets/skip': NAMES_NOTHING,
  'GET /dashboard/treasury/collect': PLACE,
  'GET /dashboard/treasury/plan.json': PLACE,
  'GET /dashboard/treasury/safe.json': PLACE,
  'GET /dashboard/treasury/sent.json': {
    query: (rows) => ({ network: 'ethereum', txid: namesOf(rows, 'collecting')[0] }),
    says: '"state":"final"',
  },
};

const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
