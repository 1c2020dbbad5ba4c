import { type DynamicModule, Logger, Module, type Provider } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  CONFIG,
  type NetworkConfig,
  RATE_SOURCES,
  type RateSourceName,
} from '../../../src/config/config.types.js';
import { PRESETS } from '../../../src/config/networks.js';
import type { Price } from '../../../src/kernel/crypto-amount.js';
import { CURRENCIES } from '../../../src/kernel/fiat.js';
import { PublicRates } from '../../../src/modules/rates/public-rates.js';
import { RatesModule } from '../../../src/modules/rates/rates.module.js';
import { priceText } from '../../../src/modules/rates/rates.pure.js';
import { RateBook } from '../../../src/modules/rates/rates.service.js';
import { Readiness, type ReadinessCheck } from '../../../src/platform/health/readiness.js';
import { Jobs } from '../../../src/platform/jobs/jobs.js';
import { JobsModule } from '../../../src/platform/jobs/jobs.module.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { HeldTimers } from '../../support/run/held-timers.js';
import { PriceServer } from '../../support/servers/price-server.js';
import { eventually } from '../../support/servers/receiver.js';

const NETWORKS = [{ assets: [{ symbol: 'BTC' }, { symbol: 'USDC' }] }] as unknown as NetworkConfig[];
const START = { wallMs: 1_790_000_000_000, monotonicMs: 1_000_000 };
const RUNNING = new AbortController().signal;

/** Stands for the platform module, without its database. */
@Module({})
class Platform {}

/** Of nobody else's timers; and the module's own. Both come by hand: a machine that stands still blames no honest source. */
const TIMEOUT_MS = 1_000_003;
const OWN_TIMEOUT_MS = 5_000;

let server: PriceServer;
let deadlines: HeldTimers;
let rates: PublicRates;
let elapsedMs: number;
let lines: [level: string, message: string, fields: Record<string, unknown>][];

const textOf = (found?: Price | null) => (found ? priceText(found) : null);
const price = (asset: string, currency: 'CHF' | 'EUR' | 'USD') => textOf(rates.rate(asset, currency)?.price);
const names = () => rates.rate('BTC', 'CHF')?.sources.map(({ name }) => name);
const write = (level: string) => (fields: unknown, message: unknown) =>
  void lines.push([level, String(message), fields as Record<string, unknown>]);

const now = () => ({
  wallMs: START.wallMs + elapsedMs,
  monotonicMs: START.monotonicMs + elapsedMs,
});

/** Time passes, and the job runs as often as it would. */
async function pass(seconds: number): Promise<void> {
  for (let s = 0; s < seconds; s += 5) {
    elapsedMs += 5_000;
    await rates.turn(RUNNING);
  }
}

/** A turn in which one source does not answer: its time is up once all others have been heard. */
async function turnBesideSilence(meanwhile = () => {}): Promise<void> {
  const turning = rates.turn(RUNNING);
  await eventually(
    () => deadlines.count,
    (silent) => silent === 1,
  );
  meanwhile();
  deadlines.come();
  await turning;
}

beforeEach(async () => {
  server = await PriceServer.start();
  deadlines = new HeldTimers((ms) => ms === TIMEOUT_MS || ms === OWN_TIMEOUT_MS);
  [elapsedMs, lines] = [0, []];
  server.nowMs = () => START.wallMs + elapsedMs;
  Logger.overrideLogger({ log: write('log'), warn: write('warn'), error: write('error') });
  rates = new PublicRates(server.config(), NETWORKS, { now, timeoutMs: TIMEOUT_MS });
});

afterEach(async () => {
  await rates.onApplicationShutdown();
  await server.stop();
  deadlines.restore();
  Logger.overrideLogger(false);
});

describe('healthy sources', () => {
  it('have no rate before they were asked, and one for every pair after the first turn', async () => {
    expect(price('BTC', 'CHF')).toBeNull();
    await rates.turn(RUNNING);
    expect(
      rates.health().map(({ asset, currency, price }) => [`${asset}/${currency}`, textOf(price)]),
    ).toEqual([
      ['BTC/CHF', '80000'], // 80000, 80000 and, crossed, 100100 × 0.8
      ['BTC/EUR', '86200'],
      ['BTC/USD', '100000'],
      ['USDC/CHF', '0.79991'], // Kraken's book and Bitstamp's 0.9999 × 0.8; Coinbase's promise does not count
      ['USDC/EUR', expect.stringMatching(/^0\.86/)],
      ['USDC/USD', '0.99985'],
    ]);
    expect(rates.rate('BTC', 'CHF')).toMatchObject({
      at: new Date(START.wallMs),
      sources: [
        { name: 'kraken', price: '80000' },
        { name: 'coinbase', price: '80000' },
        { name: 'bitstamp', price: '80080', via: { pair: 'BTC/USD', conversion: { pair: 'USD/CHF' } } },
      ],
    });
    expect(rates.rate('DOGE', 'CHF')).toBeNull();
    expect(lines).toEqual([]);
  });

  it('are asked every 30 s, and Kraken for its pairs once a day', async () => {
    await rates.turn(RUNNING);
    const first = server.asked.length;
    await pass(25);
    expect(server.asked).toHaveLength(first);
    server.books.kraken['BTC/CHF'] = '80100';
    await pass(5);
    expect(rates.rate('BTC', 'CHF')?.sources[0]?.price).toBe('80100');
    const lists = () => server.asked.filter((path) => path === '/0/public/AssetPairs').length;
    expect(lists()).toBe(1);
    elapsedMs += 24 * 3_600_000;
    await rates.turn(RUNNING);
    expect(lists()).toBe(2);
  });

  it('close an option whose price two of them dispute', async () => {
    server.books.bitstamp['USDC/USD'] = '0.93';
    await rates.turn(RUNNING);
    expect(price('USDC', 'USD')).toBeNull();
    expect(price('BTC', 'USD')).not.toBeNull();
    expect(lines).toContainEqual([
      'warn',
      'no rate: the option is closed',
      expect.objectContaining({ pair: 'USDC/USD' }),
    ]);
  });
});

describe('one source that fails', () => {
  const SILENT = ['never answers', 'stops in the middle'];
  const big = 'x'.repeat(256 * 1024 + 1);
  it.each([
    ['answers 500', (r) => r.writeHead(500).end('{}'), 'HTTP 500'],
    ['redirects', (r) => r.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(), 'HTTP 302'],
    ['never answers', () => undefined, /Timeout|in time/],
    ['stops in the middle', (r) => void r.writeHead(200).write('{"data":'), /Timeout|in time/],
    ['hangs up', (r) => r.destroy(), /SOCKET|RESET/],
    ['answers garbage', (r) => r.writeHead(200).end('<html>'), 'the answer is not JSON'],
    ['answers more than 256 KiB', (r) => r.writeHead(200).end(JSON.stringify(big)), /larger than 262144/],
    ['answers an error with 200', (r) => r.writeHead(200).end('{"errors":[{"id":"down"}]}'), 'down'],
  ] satisfies [string, Parameters<PriceServer['broken']['set']>[1], string | RegExp][])(
    'and %s, is out after its last price grew old, said once, and comes back',
    async (name, respond, reason) => {
      const turn = SILENT.includes(name) ? turnBesideSilence : () => rates.turn(RUNNING);
      await rates.turn(RUNNING);
      server.broken.set('coinbase', respond);
      elapsedMs += 30_000;
      await turn();
      expect(names()).toEqual(['kraken', 'coinbase', 'bitstamp']);
      elapsedMs += 270_001;
      await turn();
      // Bitstamp's price needs a conversion, and Kraken's word on that is now the only one.
      expect(names()).toBeUndefined();
      expect(price('BTC', 'USD')).toBe('100050');
      const said = lines.filter(([, message]) => message === 'a price source fails');
      expect(said).toEqual([['warn', expect.any(String), { source: 'coinbase', reason: expect.anything() }]]);
      expect(said[0]?.[2]['reason']).toMatch(reason);
      expect(JSON.stringify(lines)).not.toContain(server.origin);

      server.broken.clear();
      elapsedMs += 360_000;
      await rates.turn(RUNNING);
      expect(names()).toEqual(['kraken', 'coinbase', 'bitstamp']);
      expect(lines).toContainEqual([
        'log',
        'a price source answers again',
        { source: 'coinbase', failures: 2 },
      ]);
      expect(lines).toContainEqual(['log', 'the pair has a rate again', { pair: 'BTC/CHF' }]);
    },
  );

  it('is asked again after 5 s, then less and less often, never more than 5 minutes apart', async () => {
    server.broken.set('kraken', (response) => response.writeHead(503).end());
    await rates.turn(RUNNING);
    const asked = () => server.asked.filter((path) => path.startsWith('/0/')).length;
    expect(asked()).toBe(1);
    await pass(10);
    expect(asked()).toBe(2);
    await pass(3_600);
    expect(asked()).toBeGreaterThan(12);
    expect(asked()).toBeLessThan(28);
    server.broken.clear();
    await pass(360);
    expect(rates.failing()).toEqual([]);
  });

  it('delays no other', async () => {
    server.broken.set('bitstamp', () => undefined);
    await turnBesideSilence(() => expect(names()).toEqual(['kraken', 'coinbase']));
    expect(names()).toEqual(['kraken', 'coinbase']);
  });
});

/** About what a unit of each asset of a preset costs in dollars, and a dollar in each currency. */
const DOLLARS = { BTC: 100_000, LTC: 90, ETH: 3_500, POL: 0.25, USDC: 1, USDT: 1, EURC: 1.16 };
const OF_A_DOLLAR = { USD: 1, EUR: 1 / 1.16, CHF: 0.8 };
/** Of which assets a source has a book in francs, where that is not all of them. */
const IN_FRANCS: Partial<Record<RateSourceName, readonly string[]>> = {
  kraken: ['BTC', 'ETH', 'USDC', 'USDT'],
  bitstamp: [],
};

function listPresets(): void {
  for (const source of RATE_SOURCES)
    for (const [asset, dollars] of Object.entries(DOLLARS))
      for (const [currency, each] of Object.entries(OF_A_DOLLAR))
        if (currency !== 'CHF' || (IN_FRANCS[source]?.includes(asset) ?? true))
          server.books[source][`${asset}/${currency}`] = (dollars * each).toFixed(6);
}

describe.each([
  ['the sources without a key', ['kraken', 'coinbase', 'bitstamp', 'bitpay'] as const],
  ['all sources', RATE_SOURCES],
])('%s', (_name, ALL) => {
  beforeEach(async () => {
    await rates.onApplicationShutdown();
    listPresets();
    const networks = PRESETS.map((preset) => ({ ...preset, rpcUrl: '' }));
    rates = new PublicRates(server.config({ sources: ALL }), networks, { now, timeoutMs: TIMEOUT_MS });
  });

  it.each(ALL)('keep every rate of every preset without %s, and each rests on two of them', async (gone) => {
    server.broken.set(gone, (response) => response.writeHead(503).end());
    await rates.turn(RUNNING);
    expect(rates.failing()).toEqual([gone]);
    const offered = Object.keys(DOLLARS).flatMap((asset) => CURRENCIES.map((each) => `${asset}/${each}`));
    const found = rates.health().map(({ asset, currency }) => `${asset}/${currency}`);
    expect(found.sort()).toEqual(offered.sort());
    for (const pair of rates.health()) {
      expect(pair).toMatchObject({ price: expect.anything() as unknown });
      expect(pair.used.length).toBeGreaterThan(1);
      expect(pair.used).not.toContain(gone);
    }
    // Kraken's and Coinbase's are the only books between francs and dollars; BitPay's table stands in for one.
    expect(rates.rate('USDC', 'CHF')?.sources.length).toBeGreaterThan(1);
  });
});

describe('CoinGecko', () => {
  beforeEach(async () => {
    await rates.onApplicationShutdown();
    const sources = ['kraken', 'coingecko'] as const;
    rates = new PublicRates(server.config({ sources }), NETWORKS, { now, timeoutMs: TIMEOUT_MS });
  });

  it('is asked once a minute for everything, with its key, and no sooner after it refused', async () => {
    const asked = () => server.asked.filter((path) => path.startsWith('/api/v3/'));
    await rates.turn(RUNNING);
    expect(server.keys).toEqual(['CG-test']);
    await pass(55);
    expect(asked()).toHaveLength(1);
    await pass(5);
    expect(asked()).toHaveLength(2);
    server.broken.set('coingecko', (response) => response.writeHead(429).end('{}'));
    await pass(60);
    expect(asked()).toHaveLength(3);
    expect(rates.failing()).toEqual(['coingecko']);
    await pass(45); // a minute after a refusal, give or take the spread of a fifth
    expect(asked()).toHaveLength(3);
    await pass(40);
    expect(asked()).toHaveLength(4);
    await pass(60); // and twice as long after the second
    expect(asked()).toHaveLength(4);
  });
});

describe('prices that must not be believed', () => {
  it('are those of a source whose own time is old', async () => {
    server.nowMs = () => START.wallMs - 301_000;
    await rates.turn(RUNNING);
    expect(names()).toEqual(['kraken', 'coinbase']);
    expect(rates.health()[0]).toMatchObject({ dropped: [{ source: 'bitstamp' }] });
  });

  it('are all, once every source has been away for longer than 5 minutes', async () => {
    await rates.turn(RUNNING);
    for (const source of ['kraken', 'coinbase', 'bitstamp'] as const) {
      server.broken.set(source, (response) => response.destroy());
    }
    await pass(295);
    expect(price('BTC', 'CHF')).toBe('80000');
    await pass(10);
    expect(rates.health().every((pair) => pair.price === null && pair.used.length === 0)).toBe(true);
    server.broken.clear();
    await pass(370);
    expect(price('BTC', 'CHF')).toBe('80000');
  });

  it('are those of a market that Kraken closed: its list is read again', async () => {
    await rates.turn(RUNNING);
    delete server.books.kraken['USDC/CHF'];
    await pass(30);
    expect(rates.failing()).toEqual(['kraken']);
    await pass(10);
    expect(rates.failing()).toEqual([]);
    // Now crossed through dollars, like Bitstamp's.
    expect(rates.rate('USDC', 'CHF')?.sources[0]).toMatchObject({
      name: 'kraken',
      via: { pair: 'USDC/USD' },
    });
  });
});

describe('the module in production', () => {
  const checks: ReadinessCheck[] = [];
  const readiness = { register: (check: ReadinessCheck) => checks.push(check) };
  let app: TestingModule;
  let book: RateBook;

  beforeEach(async () => {
    checks.length = 0;
    server.nowMs = Date.now;
    const config = { mode: 'production', rates: server.config(), networks: NETWORKS };
    const platform: Provider[] = [
      Metrics,
      { provide: CONFIG, useValue: config },
      { provide: Readiness, useValue: readiness },
    ];
    const exports = [JobsModule, Metrics, CONFIG, Readiness];
    const global: DynamicModule = {
      module: Platform,
      global: true,
      imports: [JobsModule],
      providers: platform,
      exports,
    };
    app = await Test.createTestingModule({
      imports: [global, RatesModule],
    }).compile();
    await app.init();
    book = app.get(RateBook);
  });

  afterEach(() => app.close());

  /** Turns of the event loop, until the job's first run is over or jest loses patience. */
  async function until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise((resolve) => setImmediate(resolve));
  }

  it('asks nobody before the jobs start, then tells metrics and readiness which pairs have no rate', async () => {
    delete server.books.bitstamp['USDC/USD'];
    expect(server.asked).toEqual([]);
    app.get(Jobs).start();
    await until(() => book.rate('BTC', 'CHF')?.sources.length === 3);

    expect(checks.map(({ name, required }) => [name, required])).toEqual([['rates', false]]);
    expect(await checks[0]?.check()).toEqual({
      ok: false,
      detail: { withoutRate: ['USDC/CHF', 'USDC/EUR', 'USDC/USD'], failingSources: [] },
    });
    const metrics = await app.get(Metrics).registry.metrics();
    expect(metrics).toMatch(/rappen_rate_age_seconds\{asset="BTC",currency="CHF"\} [0-9.]+\n/);
    expect(metrics).toContain('rappen_rate_sources{asset="BTC",currency="CHF"} 3');
    expect(metrics).toContain('rappen_rate_sources{asset="USDC",currency="CHF"} 0');
    expect(metrics).not.toContain('rappen_rate_age_seconds{asset="USDC"');
  });

  it('stops at once, however long a source takes, and blames nobody for it', async () => {
    server.broken.set('kraken', () => undefined);
    app.get(Jobs).start();
    await until(() => server.asked.some((path) => path.startsWith('/0/')));
    // Had it waited for the answer or for the source's deadline, which does not come, it would not have ended.
    await app.close();
    expect(lines.filter(([level]) => level === 'warn')).toEqual([]);
  });
});
