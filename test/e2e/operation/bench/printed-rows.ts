import { measure, MEASURES } from '../../../bench/main.js';
import { cellsOf, HEADER, markdown, ratioOf, type Row } from '../../../bench/table.js';
import { postgresTool } from '../../../support/database/installed-postgres.js';
import { nodeTool } from '../../../support/nodes/litecoind.js';
import { itWith, type Tool } from '../../../support/run/tools.js';

const atOnce = (name: string) => [
  `${name}, 16 connections`,
  `${name}, processor for each`,
  `${name}, PostgreSQL's processor for each`,
];
const p50And = (percentile: string) => (what: string) =>
  ['p50', percentile].map((each) => `${what}, ${each}`);

/** Of so few rows it is lost in the start of its command. */
const RETENTION = ['of 1,000: retention, each thousand rows', 'older months removed, by month'] as const;

/**
 * What each measure of `npm run bench -- --quick` prints, in files that run beside each other: all of them would make one that
 * takes longer than the rest of the suites.
 */
export const PRINTED = {
  api: {
    create: atOnce('create'),
    read: atOnce('read'),
    list: ['list by status of 100', 'list by status of 1,000'].flatMap((what) => [
      ...atOnce(what),
      `${what}, one alone`,
    ]),
    express: [
      'node:http alone',
      'Express with messages of its own from birth',
      'checkout page',
      'health/live',
      'read',
      'create',
      'list of 20',
    ].map((what) => `${what}, beside Express`),
    search: [
      'a word that all have',
      'two words that half have',
      'digits that some have',
      'a number that one has',
      'a word that none has',
      'two words that half have each',
    ]
      .map((what) => `search of 1,000, ${what}`)
      .flatMap(p50And('p95')),
    instances: ['read, two instances', 'create, two instances'],
    load: ['checkout page', 'read', 'create'].flatMap((what) => [
      `${what}, highest rate that holds`,
      // At half beside `node:http` too.
      ...[25, 50, 75].flatMap((share) =>
        ['p50', 'p99', 'p99.9'].flatMap((percentile) =>
          new Array<string>(share === 50 ? 2 : 1).fill(`${what} at ${share} %, ${percentile}`),
        ),
      ),
    ]),
  },
  pages: {
    checkout: [
      ...atOnce('checkout page'),
      'checkout page, one alone',
      ...atOnce('checkout page, first look of each buyer'),
      ...atOnce('checkout page, compressed'),
    ],
    paint: new Array<string>(2).fill('checkout page, first paint, processor slowed 4 times'),
    // And every other page that links lead to.
    dashboard: ['/dashboard', '/dashboard/payments', '/dashboard/review', '/dashboard/account'].flatMap(
      p50And('p95'),
    ),
    live: [
      'memory for each',
      'opening all',
      'half of them told',
      'the last one told',
      'processor a second at rest',
      "PostgreSQL's processor a second at rest",
    ].map((what) => `50 open pages, ${what}`),
    start: ['ready in production', 'resident when ready'],
  },
  tables: {
    growth: [
      'of 1,000: disk for a payment with its events and deliveries',
      'of 1,000: at rest, processor of the service',
      'of 1,000: at rest, sessions of PostgreSQL at work',
      ...[
        'create',
        'cancel',
        'choice of an asset',
        'checkout page that waits',
        'read',
        'checkout page of any payment',
        'its status',
        'list',
        'list by status',
        'list of a week',
        'list of a week by status',
        'list of an order',
        'list, page 400',
        'events from the first',
        'events from the middle',
      ]
        .map((what) => `of 1,000: ${what}`)
        .flatMap(p50And('p99')),
      ...['/dashboard/review', '/dashboard', '/dashboard/account']
        .map((what) => `of 1,000: ${what}`)
        .flatMap(p50And('p95')),
      'of 1,000: retention that finds nothing, and the start of its command',
      RETENTION[0],
    ],
    partitions: ['the tries of a delivery, by month', 'a thousand tries written, by month', RETENTION[1]],
    standby: [
      'create beside a synchronous standby, 16 connections',
      'create beside a synchronous standby, one alone',
      ...["Home's figures", 'a search for digits that some have']
        .map((what) => `${what} of 1,000, on a standby`)
        .flatMap(p50And('p95')),
    ],
  },
  deliveries: {
    deliver: [
      'deliver, against pg + undici.request',
      'deliver, against pg + fetch',
      'deliver, against graphile-worker 0.17.3',
      'deliver, against pg-boss 10.4.2',
      'deliver, processor for each',
      "deliver, PostgreSQL's processor for each",
    ],
    latency: p50And('p99')('commit to receiver'),
    crowded: p50And('p99')('commit to receiver amid 64 buyers'),
    hostile: [
      'create p50',
      'create p99',
      "event loop's delay p99",
      "event loop's longest delay",
      "processor of the event loop's longest turn",
      'processor for a creation and its deliveries',
    ].map((what) => `${what}, 40 hostile receivers`),
  },
  chains: {
    payment: [
      'a payment, created, paid, settled and told of: processor',
      "a payment, created, paid, settled and told of: PostgreSQL's processor",
    ],
    chains: ['watcher, blocks while catching up', 'watcher, block to status'],
    watched: ['10', '100'].flatMap((count) => [
      ...[0, 2].map((ours) => `${count} addresses, ${ours} of 20 transfers ours, block to status`),
      `${count} addresses, resident memory`,
      `${count} addresses, heap after a full collection`,
      `${count} addresses, blocks of 20 transfers while catching up`,
    ]),
    reconcile: ['reconcile, requests a round', 'reconcile, a round without a pace'],
    'reconcile-bitcoin': [
      'reconcile, Bitcoin-like, requests a round',
      'reconcile, Bitcoin-like, a round without a pace',
    ],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const TOOLS: Readonly<Record<string, Tool>> = {
  standby: postgresTool('the benchmark of a standby is'),
  'reconcile-bitcoin': nodeTool('own-nodes'),
};

const taken = new Map<string, Promise<readonly Row[]>>();

/** The rows of a measure, once for each file: tiny numbers, whose figures mean nothing. */
export function quickRows(name: string): Promise<readonly Row[]> {
  const rows = taken.get(name) ?? measure([name], true, 1, () => undefined);
  taken.set(name, rows);
  return rows;
}

/** That `npm run bench` still measures what it says; the figures themselves belong to a quiet machine. Needs a build. */
export function itPrintsRows(file: keyof typeof PRINTED): void {
  // For what hangs: nothing is proved by it.
  jest.setTimeout(1_200_000);

  it('measures in one of these files whatever there is to measure', () => {
    const names = Object.values(PRINTED).flatMap((measures) => Object.keys(measures));
    expect(names.sort()).toEqual(Object.keys(MEASURES).sort());
  });

  for (const [name, expected] of Object.entries<readonly string[]>(PRINTED[file])) {
    const tool = TOOLS[name];
    (tool ? itWith(tool) : it)(`prints every row of ${name} with its ceiling and its ratio`, async () => {
      const rows = await quickRows(name);
      const names = rows.map((row) => row.name);
      if (name === 'dashboard') expect(names).toEqual(expect.arrayContaining([...expected]));
      else expect(names).toEqual(expected);
      rows.forEach(expectCells);
      expect(markdown(rows).split('\n')).toHaveLength(rows.length + 2);
    });
  }
}

function expectCells(row: Row): void {
  const isOfClosedLoop = row.ceiling?.what.startsWith('the closed loop') && row.unit === 'ms';
  if (isOfClosedLoop) expect([ratioOf(row), cellsOf(row)[5]]).toEqual([null, '']);
  // What fifty pages weigh is lost in what else a process takes and gives back, and what two hundred statements cost in the
  // system's clock of processors; what nothing costs has no ceiling.
  else if (
    row.unit !== 'kB' &&
    row.ceiling &&
    !(RETENTION as readonly string[]).includes(row.name) &&
    !row.name.includes('PostgreSQL')
  )
    expect(ratioOf(row)).toBeGreaterThan(0);
  expect(cellsOf(row)).toHaveLength(HEADER.length);
}
