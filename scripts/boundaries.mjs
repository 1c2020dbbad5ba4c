// What sees what: held by `.dependency-cruiser.mjs`, `src/folders.spec.ts` and `src/tables.spec.ts`.

// Who may import whom. A room that is missing here may import nothing, so a new module starts closed; opening it is an edit of
// this table that somebody reviews.
const FLOOR = ['kernel', 'config', 'database', 'platform'];
// The application root (app.setup, app.module) too: the sandbox starts the whole of it.
export const EVERYTHING = [''];
const m = (...names) => names.map((name) => `modules/${name}`);

export const MAY_IMPORT = {
  kernel: [],
  config: ['kernel'],
  database: ['kernel', 'config'],
  platform: ['kernel', 'config', 'database'],
  'modules/site': FLOOR,
  'modules/merchants': FLOOR,
  'modules/rates': FLOOR,
  'modules/chains': FLOOR,
  'modules/alerts': [...FLOOR, ...m('merchants')],
  'modules/auth': [...FLOOR, ...m('merchants')],
  'modules/accounts': [...FLOOR, ...m('merchants')],
  'modules/webhooks': [...FLOOR, ...m('merchants', 'alerts')],
  'modules/intents': [...FLOOR, ...m('site', 'auth', 'merchants', 'rates', 'chains', 'webhooks', 'alerts')],
  'modules/treasury': [...FLOOR, ...m('chains', 'rates')],
  'modules/checkout': [...FLOOR, ...m('intents', 'merchants')],
  'modules/dashboard': [
    ...FLOOR,
    ...m(
      'site',
      'accounts',
      'alerts',
      'auth',
      'merchants',
      'intents',
      'webhooks',
      'chains',
      'rates',
      'treasury',
    ),
  ],
  'modules/sandbox': EVERYTHING,
  cli: EVERYTHING,
};

/**
 * A module that holds several things has rooms of the same skeleton, and what each of them may see of the others: one way.
 * What is the whole module's (its types, errors, `domain/` and `data/`) lies below all of them, its other files above. A file,
 * or `domain`, stands here as a room of its own where it lies between two.
 * @type {Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>}
 */
export const ROOMS = {
  'modules/chains': {
    networks: [],
    watching: [],
    bitcoin: ['watching'],
    evm: ['watching'],
    reconciliation: ['bitcoin', 'evm', 'watching'],
    fees: ['bitcoin', 'evm'],
    repair: ['bitcoin', 'evm', 'watching'],
    forwarders: ['evm', 'reconciliation'],
    wallets: ['bitcoin', 'evm', 'networks', 'reconciliation', 'watching'],
    outgoing: ['bitcoin', 'evm', 'forwarders', 'wallets', 'watching'],
  },
  'modules/accounts': {
    audit: [],
    passwords: [],
    sessions: ['audit'],
    'second-factors': ['audit', 'sessions'],
    people: ['audit', 'passwords', 'sessions'],
    'sign-in': ['audit', 'passwords', 'sessions', 'second-factors', 'people'],
    admission: ['audit', 'people'],
  },
  'modules/alerts': { delivery: [] },
  'modules/merchants': { logos: [] },
  'modules/rates': { sources: [] },
  'modules/site': { views: [] },
  'modules/webhooks': { 'outbox.service.ts': [], delivery: ['outbox.service.ts'] },
  'modules/intents': {
    unsettled: [],
    lifecycle: ['unsettled'],
    api: ['lifecycle'],
    checkout: ['lifecycle', 'unsettled'],
    review: ['checkout', 'lifecycle', 'unsettled'],
    reporting: ['checkout', 'lifecycle', 'unsettled'],
  },
  'modules/checkout': { catalogue: [], domain: ['catalogue'], views: ['catalogue', 'domain'] },
  // Pages of one matter each, on what every page has: its words, its reader and its frame.
  'modules/dashboard': {
    'paths.http.ts': [],
    language: ['paths.http.ts'],
    domain: ['language', 'paths.http.ts'],
    session: ['domain', 'language', 'paths.http.ts'],
    ...Object.fromEntries(
      Object.entries({
        account: [],
        'sign-in': [],
        settings: [],
        treasury: [],
        home: [],
        refunds: [],
        payments: ['refunds'],
        review: ['payments', 'refunds'],
        developers: ['payments'],
        alerts: ['payments'],
        operator: ['alerts', 'payments', 'settings'],
      }).map(([page, others]) => [page, ['domain', 'language', 'paths.http.ts', 'session', ...others]]),
    ),
  },
  'modules/sandbox': {
    local: [],
    receiver: [],
    parts: [],
    'sandbox-home.service.ts': ['local'],
    buyers: ['local', 'sandbox-home.service.ts'],
    scenarios: ['buyers'],
    panel: ['scenarios'],
  },
};

/**
 * Whose each table is: it alone writes there. What others write in the same statement is its own SQL, which they build in
 * (`*.shared.sql.ts`).
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const TABLES = {
  platform: ['job_run', 'outgoing_mail', 'rate_window'],
  'modules/merchants': ['merchant', 'merchant_logo'],
  'modules/alerts': ['alert', 'alert_mail', 'alert_notice'],
  'modules/auth': ['api_key', 'api_request'],
  'modules/accounts': [
    'audit_entry',
    'guess_delay',
    'known_device',
    'membership',
    'one_time_link',
    'passkey',
    'passkey_challenge',
    'password_request',
    'person',
    'recovery_code',
    'saved_view',
    'session',
    'unfinished_sign_in',
  ],
  'modules/chains': [
    'address',
    'chain_block',
    'chain_cursor',
    'chain_difference',
    'coin_baseline',
    'collection',
    'cursor_asset',
    'destination',
    'extended_key',
    'fact_change',
    'fact_rest',
    'known_asset',
    'named_address',
    'own_address',
    'reconciliation',
    'transfer',
    'wallet',
    'watch_failure',
    'watch_lease',
  ],
  'modules/webhooks': [
    'delivery',
    'delivery_attempt',
    'event',
    'event_log',
    'event_log_pending',
    'webhook_endpoint',
  ],
  'modules/intents': [
    'intent',
    'intent_count',
    'intent_day',
    'quote',
    'refund',
    'refund_request',
    'review_decision',
    'review_entry',
    'settlement',
    'status_edge',
    'transition',
    'unsettled_money',
  ],
};

/**
 * Which files write what is another's, and for what.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const WRITES = {
  'modules/sandbox/sandbox.service.ts': {
    chain_cursor: 'another first block of the local chain at each start',
  },
  'modules/sandbox/scenarios/payment-window.ts': { intent: 'a payment window that ends now (ADR 21)' },
};

/**
 * Which files read what is another's, and for what (ADR 73). Whom a module may not import it may not read either.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const READS = {
  'modules/auth/data/keyed-read.shared.sql.ts': {
    merchant: 'a request’s key and its owner’s status, in one round trip',
  },
  'modules/accounts/sessions/data/sessions.repository.ts': {
    merchant: 'names and closures, once for each page',
  },
  'modules/accounts/data/acting-sessions.repository.ts': {
    merchant: 'whether it is open to its people still',
  },
  'modules/accounts/data/standing.sql.ts': { merchant: 'whether an invitation has anything to join' },
  'modules/accounts/people/data/one-time-links.repository.ts': {
    merchant: 'whose invitation it is, by name',
    outgoing_mail: 'whether the invitation was sent',
  },
  'modules/accounts/audit/data/audit-entries.repository.ts': {
    merchant: 'a name for the mail to its owners',
  },
  'modules/intents/unsettled/data/find-refunds.statement.ts': {
    chain_cursor: 'how deep it lies, with the row',
  },
  'modules/intents/unsettled/data/refund-following.repository.ts': {
    chain_block: 'refunds whose block is another by now: a filter',
    chain_cursor: 'refunds that are searched up to the tip: a filter',
  },
  'modules/intents/unsettled/data/unsettled-money.repository.ts': {
    alert: 'whether there is one to resolve, with what is recorded of the money',
  },
  'modules/sandbox/scenarios/payment-window.ts': { intent: 'when the window ended' },
  'modules/intents/reporting/data/payments.repository.ts': { event: 'an intent by the id of its event' },
  'modules/intents/reporting/data/invariants.statement.ts': {
    address: 'a check',
    alert: 'a check',
    chain_block: 'a check',
    chain_cursor: 'a check',
    delivery: 'a check',
    destination: 'a check',
    event: 'a check',
    event_log: 'a check',
    event_log_pending: 'a check',
    extended_key: 'a check',
    fact_change: 'a check',
    known_asset: 'a check',
    transfer: 'a check',
    wallet: 'a check',
    webhook_endpoint: 'a check',
  },
};
