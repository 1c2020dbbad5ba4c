import { Readable } from 'node:stream';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { PIECE_BYTES } from '../../../platform/outgoing/json-pieces.js';
import { OutgoingAgent } from '../../../platform/outgoing/outgoing-agent.js';
import { priceText } from '../rates.pure.js';
import { KrakenSource } from './kraken.source.js';
import { LIST_OF_MARKETS, PriceHttp } from './price-http.js';

const ORIGIN = 'http://127.0.0.1:1';
const RUNNING = new AbortController().signal;
/** Three times as many as Kraken has. */
const MARKETS = 4_500;

const tiers = Array.from({ length: 9 }, (_, i) => [i * 50_000, 0.26]);
/** As Kraken describes it. */
const market = (name: string) => ({
  altname: name.replace('/', ''),
  wsname: name,
  aclass_base: 'currency',
  base: `X${name}`,
  aclass_quote: 'currency',
  quote: 'ZUSD',
  lot: 'unit',
  cost_decimals: 5,
  pair_decimals: 1,
  lot_decimals: 8,
  lot_multiplier: 1,
  leverage_buy: [2, 3, 4, 5],
  leverage_sell: [2, 3, 4, 5],
  fees: tiers,
  fees_maker: tiers,
  fee_volume_currency: 'ZUSD',
  margin_call: 80,
  margin_stop: 40,
  ordermin: '0.0001',
  costmin: '0.5',
  tick_size: '0.1',
  status: 'online',
  long_position_limit: 250,
  short_position_limit: 200,
});

const manyMarkets = Array.from({ length: MARKETS }, (_, i) => [`K${i}`, market(`K${i}/USD`)]);
const LIST = JSON.stringify({
  error: [],
  result: Object.fromEntries([...manyMarkets, ['XXBTZUSD', market('XBT/USD')]]),
});
const TICKER = '{"error":[],"result":{"XXBTZUSD":{"a":["100000","1"],"b":["100000","1"]}}}';

/** What it takes the network is not counted. @returns what is asked for */
function answering(answers: Readonly<Record<string, string>>): string[] {
  const paths: string[] = [];
  jest.spyOn(OutgoingAgent.prototype, 'request').mockImplementation(({ path }) => {
    paths.push(path);
    const body = Readable.from([Buffer.from(answers[path.split('?')[0]!]!)]);
    return Promise.resolve({ statusCode: 200, body } as never);
  });
  return paths;
}

/** Each look at the clock finds the share of a turn used up, however fast the machine is. */
function atASlowPace(): void {
  const startMs = performance.now();
  let looks = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => startMs + 10 * (looks += 1));
}

async function turnsWhile<T>(asked: Promise<T>): Promise<{ answer: T; turns: number }> {
  let turns = 0;
  let next = setImmediate(function turn() {
    turns += 1;
    next = setImmediate(turn);
  });
  const answer = await asked.finally(() => clearImmediate(next));
  return { answer, turns };
}

let http: PriceHttp;
beforeEach(() => (http = new PriceHttp(1_000)));
afterEach(async () => {
  jest.restoreAllMocks();
  // What was begun by the other clock ends.
  await othersTurn();
  await http.close();
});

it('others have their turns while Kraken’s list of markets is read, three times as long as it is', async () => {
  answering({ '/0/public/AssetPairs': LIST, '/0/public/Ticker': TICKER });
  atASlowPace();
  const kraken = new KrakenSource(ORIGIN, [{ base: 'BTC', quote: 'USD' }], http, () => 0);
  const { answer, turns } = await turnsWhile(kraken.ask(RUNNING));
  expect(answer.map(({ pair, price }) => [pair, price && priceText(price)])).toEqual([['BTC/USD', '100000']]);
  expect(turns).toBeGreaterThan(LIST.length / PIECE_BYTES / 2);
});

it('so they have while it is nothing but objects', async () => {
  const objects = `[${'{},'.repeat(240_000)}{}]`;
  answering({ '/list': objects });
  atASlowPace();
  const { answer, turns } = await turnsWhile(http.get(ORIGIN, '/list', RUNNING, { limits: LIST_OF_MARKETS }));
  expect(answer).toHaveLength(240_001);
  expect(turns).toBeGreaterThan(objects.length / PIECE_BYTES / 2);
});

describe.each([
  ['a ticker', {}, 20_000],
  ['a list of markets', { limits: LIST_OF_MARKETS }, 500_000],
])('of %s no more is read than an honest answer has', (_, asked, values) => {
  it.each([
    ['values', `[${'1,'.repeat(values)}1]`],
    ['levels', `${'['.repeat(21)}${']'.repeat(21)}`],
    ['fields', `{${Array.from({ length: 10_001 }, (_entry, i) => `"${i}":1`).join()}}`],
  ])('no more %s', async (what, json) => {
    answering({ '/price': json });
    await expect(http.get(ORIGIN, '/price', RUNNING, asked)).rejects.toThrow(
      `the answer is more than is read: too many ${what}`,
    );
  });

  it.each([
    ['text', `{"error":["${'é'.repeat(2_049)}"]}`],
    ['text with an escape', `{"error":["\\n${'x'.repeat(4_097)}"]}`],
    ['name of a field', `{"${'x'.repeat(4_097)}":1}`],
  ])('no longer %s', async (_what, json) => {
    answering({ '/price': json });
    await expect(http.get(ORIGIN, '/price', RUNNING, asked)).rejects.toThrow(
      'the answer is more than is read: a text is too long',
    );
  });

  it('a long sentence of an honest source is', async () => {
    const answer = { error: ['x'.repeat(4_096)] };
    answering({ '/price': JSON.stringify(answer) });
    expect(await http.get(ORIGIN, '/price', RUNNING, asked)).toEqual(answer);
  });
});

it('Kraken is asked for its prices by a short question, whatever it calls its markets', async () => {
  const wanted = (['USD', 'CHF', 'EUR'] as const).map((quote) => ({ base: 'BTC', quote }) as const);
  const named = wanted.flatMap(({ quote }, i) => [
    [`${i}${'ä'.repeat(32)}`, market(`XBT/${quote}`)],
    [`${'ä'.repeat(31)}${i}`, market(`XBT/${quote}`)],
    [`${i}${'ä'.repeat(2_000)}`, market(`XBT/${quote}`)],
  ]);
  const paths = answering({
    '/0/public/AssetPairs': JSON.stringify({ error: [], result: Object.fromEntries(named) }),
    '/0/public/Ticker': TICKER,
  });
  const answer = await new KrakenSource(ORIGIN, wanted, http, () => 0).ask(RUNNING);
  expect(answer.map(({ price }) => price)).toEqual([null, null, null]);
  expect(paths).toHaveLength(2);
  expect(paths[1]!.length).toBeLessThan(1_000);
});
