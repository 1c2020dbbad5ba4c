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
    watching: [],
    bitcoin: ['watching'],
    evm: ['watching'],
    reconciliation: ['bitcoin', 'evm', 'watching'],
    fees: ['bitcoin', 'evm'],
    forwarders: ['evm', 'reconciliation'],
    wallets: ['bitcoin', 'evm', 'reconciliation', 'watching'],
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
