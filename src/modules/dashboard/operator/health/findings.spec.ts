import { priceAt } from '../../../../../test/support/intents/amount.js';
import type { RateHealth } from '../../../rates/rates.types.js';
import { MOST_COUNTED } from '../../../webhooks/webhooks.types.js';
import { sayIn } from '../../language/say.js';
import { findingsOf } from './findings.js';
import { healthView, sizeText } from './health.view.js';
import type { Board } from './health-board.js';

const nameOf = (id: string) => (id === 'ethereum' ? 'Ethereum' : id);
const NOW = new Date('2026-11-21T16:00:00Z');
const WELL: Board = {
  networks: [
    {
      network: 'ethereum',
      state: 'open',
      height: 1_000,
      nodeHeight: 1_001,
      blockTime: NOW,
      syncedAt: NOW,
      crossCheck: 'agrees',
      reason: null,
      closedAssets: {},
      coinUnwatched: 0,
      unsearchedWallets: 0,
      unfinalForS: 900,
      isFinalityStalled: false,
      finalGivenUp: null,
    },
  ],
  unwatched: [],
  facts: { subjects: 3, oldestAgeS: 1 },
  undecided: { count: 2, oldestAgeS: 0.4 },
  reviews: { count: 12, oldestAgeS: 900_000 },
  webhooks: { pending: 40, oldestAgeS: 2, sending: 3 },
  notices: [],
  alerts: 0,
  server: {
    version: '16.4',
    bytes: 5_000_000_000,
    connections: 20,
    maxConnections: 100,
    oldestTransactionS: 0.2,
    migrations: ['0001_initial1795219200000'],
    missingMigrations: [],
  },
  tables: [{ name: 'intent', bytes: 2048, rows: null }],
  watchers: [],
  rates: [],
};
const ethereum = WELL.networks![0]!;
const server = WELL.server!;
const textsOf = (changes: Partial<Board>) =>
  findingsOf(sayIn('en'), { ...WELL, ...changes }, nameOf).map(({ text }) => text);

const SOURCE = { part: 'used', price: priceAt('80000'), ageS: 3, via: null } as const;
const RATE: RateHealth = {
  asset: 'BTC',
  currency: 'CHF',
  price: priceAt('80000'),
  ageS: 3,
  used: ['kraken', 'bitstamp'],
  dropped: [],
  deviationBps: 12,
  sources: [
    { ...SOURCE, name: 'bitstamp' },
    { ...SOURCE, name: 'kraken' },
  ],
};

it('has nothing to say about an instance that is well, however much its merchants have to review', () => {
  expect(textsOf({ rates: [RATE] })).toEqual([]);
  expect(healthView(sayIn('en'), WELL, NOW, false, nameOf)).toMatchObject({ isWell: true });
});

it.each([
  [MOST_COUNTED - 1, '9,999', '9’999'],
  [MOST_COUNTED, '10,000 or more', '10’000 oder mehr'],
])('says of %d deliveries that are counted no further that there may be more', (pending, en, de) => {
  const board = { ...WELL, webhooks: { pending, oldestAgeS: 2, sending: 3 } };
  const { queues: english } = healthView(sayIn('en'), board, NOW, false, nameOf);
  const { queues: german } = healthView(sayIn('de'), board, NOW, false, nameOf);
  expect(english).toContainEqual(expect.objectContaining({ name: 'Webhooks', waiting: en }));
  expect(german).toContainEqual(expect.objectContaining({ name: 'Webhooks', waiting: de }));
});

it.each<[string, Partial<Board>, RegExp]>([
  [
    'a network behind its node',
    { networks: [{ ...ethereum, state: 'lagging', height: 990 }] },
    /^Ethereum is not offered.*11 blocks behind/,
  ],
  [
    'a network that stands still',
    { networks: [{ ...ethereum, state: 'lagging', height: 1_001 }] },
    /nothing new/,
  ],
  ['two nodes that disagree', { networks: [{ ...ethereum, state: 'disputed' }] }, /different things/],
  ['a halted network', { networks: [{ ...ethereum, state: 'halted' }] }, /is halted: its node is on another/],
  [
    'finality that stands still',
    { networks: [{ ...ethereum, unfinalForS: 4_000, isFinalityStalled: true }] },
    /^No block of Ethereum has become final for 1 hour/,
  ],
  [
    'a second node that is silent',
    { networks: [{ ...ethereum, state: 'lagging', crossCheck: 'silent' }] },
    /second node does not answer/,
  ],
  [
    'decisions that do not happen',
    { facts: { subjects: 1, oldestAgeS: 95 } },
    /1 payment has not .* 1 minute/,
  ],
  [
    'windows that do not end',
    { undecided: { count: 7, oldestAgeS: 31 } },
    /^7 payment windows .* 31 seconds ago/,
  ],
  ['late webhooks', { webhooks: { pending: 9, oldestAgeS: 7_300, sending: 0 } }, /due for 2 hours/],
  [
    'mails that do not leave',
    { notices: [{ channel: 'mail', count: 2, oldestAgeS: 600 }] },
    /^2 alerts cannot be sent by mail.*10 minutes/,
  ],
  ['a schema that is behind', { server: { ...server, missingMigrations: ['x'] } }, /lacks 1 migration/],
  ['a full server', { server: { ...server, connections: 80 } }, /80 of the server’s 100 connections/],
  ['a transaction that stays open', { server: { ...server, oldestTransactionS: 3_600 } }, /open for 1 hour/],
  [
    'an asset that was taken out of the configuration',
    { unwatched: [{ network: 'ethereum', asset: 'USDC' }] },
    /^Buyers were given addresses for USDC on Ethereum, and it is not in the configuration/,
  ],
  ['alerts that nobody took', { alerts: 2 }, /^2 alerts/],
  ['what it could not learn', { tables: null, webhooks: null }, /webhook deliveries, the tables could not/],
  [
    'an asset without a price, and why',
    { rates: [{ ...RATE, price: null, sources: [{ ...RATE.sources[0]!, part: 'alone' }] }] },
    /^BTC has no price in CHF.*bitstamp is alone/,
  ],
  [
    'a source that fails while others go on',
    { rates: [{ ...RATE, sources: [...RATE.sources, { ...SOURCE, name: 'coinbase', part: 'deviant' }] }] },
    /^coinbase is too far from the others for BTC\/CHF/,
  ],
])('names %s', (_what, changes, expected) => {
  const texts = textsOf(changes);
  expect(texts).toHaveLength(1);
  expect(texts[0]).toMatch(expected);
});

it('says what is wrong before what is to be watched', () => {
  const tones = findingsOf(
    sayIn('en'),
    {
      ...WELL,
      alerts: 1,
      facts: null,
      rates: [{ ...RATE, price: null }],
    },
    nameOf,
  ).map(({ tone }) => tone);
  expect(tones).toEqual(['bad', 'bad', 'warn']);
});

it('shows why a watcher fails, from the process that watches', () => {
  const lagging = { ...ethereum, state: 'lagging', height: 1_001 } as const;
  const watcher = { network: 'ethereum', watching: true, blocks: 0, transfers: 0, reorganisations: 0 };
  const watchers = [{ ...watcher, failures: 4, lastError: 'fetch failed' }];
  expect(textsOf({ networks: [lagging], watchers })[0]).toContain('(fetch failed)');
  expect(textsOf({ watchers })).toEqual(['The node of Ethereum has failed 4 times in a row: fetch failed.']);
});

it.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_536, '1.5 kB'],
  [5_000_000_000, '4.7 GB'],
  [3e17, '272848 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
