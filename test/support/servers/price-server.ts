import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RatesConfig, RateSourceName } from '../../../src/config/config.types.js';

type Respond = (response: ServerResponse, path: string) => void;
type Books = Record<string, string>;

/** Kraken's own keys, as recorded, where they are not the pair's name; CHF has no Z. */
const KRAKEN_KEYS: Readonly<Record<string, string>> = {
  'BTC/USD': 'XXBTZUSD',
  'BTC/EUR': 'XXBTZEUR',
  'BTC/CHF': 'XBTCHF',
  'ETH/USD': 'XETHZUSD',
  'ETH/EUR': 'XETHZEUR',
  'LTC/USD': 'XLTCZUSD',
  'LTC/EUR': 'XLTCZEUR',
  'USDT/USD': 'USDTZUSD',
  'EUR/USD': 'ZEURZUSD',
};
/** CoinGecko's. */
const COINS = {
  bitcoin: 'BTC',
  litecoin: 'LTC',
  ethereum: 'ETH',
  'polygon-ecosystem-token': 'POL',
  'usd-coin': 'USDC',
  tether: 'USDT',
  'euro-coin': 'EURC',
};
const SOURCES: readonly [string, RateSourceName][] = [
  ['/0/', 'kraken'],
  ['/v2/', 'coinbase'],
  ['/api/v3/', 'coingecko'],
  ['/rates/', 'bitpay'],
];
const FIAT: Books = { 'EUR/USD': '1.16', 'EUR/CHF': '0.93', 'USD/CHF': '0.8' };
const BTC: Books = { 'BTC/USD': '100000', 'BTC/EUR': '86200', 'BTC/CHF': '80000' };

/** All sources on one port of this machine, in their recorded shapes, and as broken as a spec likes. */
export class PriceServer {
  readonly asked: string[] = [];
  /** Of CoinGecko, as they came. */
  readonly keys: unknown[] = [];
  /** What each source has a book for, as bid = ask. */
  readonly books: Record<RateSourceName, Books> = {
    kraken: { ...BTC, ...FIAT, 'USDC/USD': '0.9998', 'USDC/EUR': '0.862', 'USDC/CHF': '0.7999' },
    coinbase: { ...BTC, ...FIAT, 'USDC/USD': '1' },
    bitstamp: { 'BTC/USD': '100100', 'BTC/EUR': '86300', 'USDC/USD': '0.9999', 'EUR/USD': '1.161' },
    bitpay: { ...BTC, 'USDC/USD': '0.9997', 'USDC/EUR': '0.8612', 'USDC/CHF': '0.7999' },
    coingecko: { ...BTC, 'USDC/USD': '0.9998', 'USDC/EUR': '0.861', 'USDC/CHF': '0.7998' },
  };
  readonly broken = new Map<RateSourceName, Respond>();
  /** The clock of the sources that tell a time, which goes with the spec's. */
  nowMs: () => number = Date.now;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<PriceServer> {
    const server = createServer();
    const prices = new PriceServer(server);
    server.on('request', (request, response) => {
      const key = request.headers['x-cg-demo-api-key'];
      if (key !== undefined) prices.keys.push(key);
      prices.respond(request.url ?? '', response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return prices;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  config(changes: Partial<RatesConfig> = {}): RatesConfig {
    return {
      sources: ['kraken', 'coinbase', 'bitstamp'],
      origins: {
        kraken: this.origin,
        coinbase: this.origin,
        bitstamp: this.origin,
        bitpay: this.origin,
        coingecko: this.origin,
      },
      coingeckoKey: 'CG-test',
      maxAgeS: 300,
      maxDeviationBps: 200,
      ...changes,
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private respond(url: string, response: ServerResponse): void {
    this.asked.push(url);
    const source = SOURCES.find(([prefix]) => url.startsWith(prefix))?.[1] ?? 'bitstamp';
    const broken = this.broken.get(source);
    if (broken) broken(response, url);
    else this[source](new URL(url, this.origin), response);
  }

  private kraken(url: URL, response: ServerResponse): void {
    const { kraken } = this.books;
    const listed = Object.keys(kraken).map(
      (pair) => [KRAKEN_KEYS[pair] ?? pair.replace('/', ''), pair] as const,
    );
    if (url.pathname === '/0/public/AssetPairs') {
      const markets = listed.map(([key, pair]) => [
        key,
        { altname: key, wsname: pair.replace('BTC', 'XBT'), status: 'online' },
      ]);
      return json(response, { error: [], result: Object.fromEntries(markets) });
    }
    const keys = url.searchParams.get('pair')?.split(',') ?? [];
    const pairs = new Map(listed);
    if (keys.some((key) => !pairs.has(key))) {
      return json(response, { error: ['EQuery:Unknown asset pair'] });
    }
    const side = (key: string) => [kraken[pairs.get(key)!], '1', '1.000'];
    const tickers = keys.map((key) => [key, { a: side(key), b: side(key), c: [side(key)[0], '0.1'] }]);
    json(response, { error: [], result: Object.fromEntries(tickers) });
  }

  private coinbase(url: URL, response: ServerResponse): void {
    const currency = url.searchParams.get('currency');
    const books = Object.entries(this.books.coinbase).filter(([pair]) => pair.startsWith(`${currency}/`));
    if (books.length === 0) {
      return json(response, { errors: [{ id: 'not_found', message: 'Invalid currency' }] }, 404);
    }
    const rates = Object.fromEntries(books.map(([pair, price]) => [pair.split('/')[1]!, price]));
    json(response, { data: { currency, rates } });
  }

  private bitpay(url: URL, response: ServerResponse): void {
    const base = url.pathname.split('/')[2];
    const books = Object.entries(this.books.bitpay).filter(([pair]) => pair.startsWith(`${base}/`));
    if (books.length === 0) return json(response, { error: 'Unknown currency' }, 404);
    const data = books.map(([pair, price]) => ({
      code: pair.split('/')[1],
      name: 'Money',
      rate: Number(price),
    }));
    json(response, { data: [{ code: base, name: 'Coin', rate: 1 }, ...data] });
  }

  private coingecko(url: URL, response: ServerResponse): void {
    const asked = url.searchParams.get('ids')?.split(',') ?? [];
    const prices = Object.entries(COINS).flatMap(([id, symbol]) => {
      const books = Object.entries(this.books.coingecko).filter(([pair]) => pair.startsWith(`${symbol}/`));
      const numbers = books.map(([pair, price]) => [pair.split('/')[1]!.toLowerCase(), Number(price)]);
      const answer = { ...Object.fromEntries(numbers), last_updated_at: Math.floor(this.nowMs() / 1000) };
      return asked.includes(id) ? [[id, answer]] : [];
    });
    json(response, Object.fromEntries(prices));
  }

  private bitstamp(url: URL, response: ServerResponse): void {
    const name = url.pathname.split('/')[4];
    const book = Object.entries(this.books.bitstamp).find(
      ([pair]) => pair.replace('/', '').toLowerCase() === name,
    );
    if (!book) return void response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>');
    const [, price] = book;
    const timestamp = String(Math.floor(this.nowMs() / 1000));
    json(response, { timestamp, last: price, bid: price, ask: price, volume: '1', side: '0' });
  }
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
