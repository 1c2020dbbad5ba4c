import { seedOf } from '../../../test/support/run/seed.js';
import { parseInPieces, PIECE_BYTES } from './json-pieces.js';

const LIMITS = { values: 4_000_000, levels: 2_500 };

/** And into how many pieces it was cut, the longest of which has how many bytes. */
function parsed(json: string) {
  let [pieces, longest] = [0, 0];
  const steps = parseInPieces(Buffer.from(json), LIMITS, (text) => {
    pieces += 1;
    longest = Math.max(longest, text.length);
    return JSON.parse(text) as unknown;
  });
  for (;;) {
    const step = steps.next();
    if (step.done) return { value: step.value, pieces, longest };
  }
}

const LONG = 'x'.repeat(PIECE_BYTES);
const list = (count: number) => Array.from({ length: count }, (_, i) => i);

/** A value of about so many bytes, by a generator whose seed is told. */
function randomValue(random: () => number, bytes: number): unknown {
  const kind = random();
  if (bytes < 40 || kind < 0.1)
    return [null, true, -1.5e3, '', 'é"\\{[,]}:', 'grün '.repeat(Math.min(bytes, 20_000) / 10), 7][
      Math.floor(random() * 7)
    ];
  const count = 1 + Math.floor(random() * 12);
  const values = Array.from({ length: count }, () => randomValue(random, bytes / count));
  if (kind < 0.5) return values;
  const names = ['id', 'result', '__proto__', 'a,b', '"]', '', '12'];
  return Object.fromEntries(values.map((value, i) => [names[i] ?? `name ${i}`, value] as [string, unknown]));
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

it('reads what JSON.parse reads, in small pieces', () => {
  const seed = seedOf('SEED', 'LONG');
  const random = seeded(seed);
  for (let i = 0; i < 40; i += 1) {
    const value = randomValue(random, 4 ** (3 + (i % 8)));
    for (const json of [JSON.stringify(value), ` ${JSON.stringify(value, null, 1)}\n`]) {
      const read = parsed(json);
      expect({ seed, i, same: JSON.stringify(read.value) === JSON.stringify(JSON.parse(json)) }).toEqual({
        seed,
        i,
        same: true,
      });
      expect(read.longest).toBeLessThan(3 * PIECE_BYTES);
    }
  }
});

it.each([
  ['a list of small entries', list(200_000)],
  ['an object of many fields', Object.fromEntries(list(10_000).map((i) => [`field ${i}`, [i, i, i]]))],
  ['one answer in a batch', [{ jsonrpc: '2.0', id: 1, result: { transactions: list(200_000) } }]],
  ['lists in lists', list(300).map(() => list(900))],
  [
    'what comes before and behind something large',
    [1, list(100_000), 2, { a: 1, b: list(100_000), c: 3 }, []],
  ],
  ['a large list in which a large one is empty', [[], LONG, {}, [LONG, []], { a: {}, b: LONG }]],
])('cuts %s into pieces', (_, value) => {
  const read = parsed(JSON.stringify(value));
  expect(read.value).toEqual(value);
  expect(read.pieces).toBeGreaterThan(1);
  expect(read.longest).toBeLessThan(3 * PIECE_BYTES);
});

it('names no prototype', () => {
  const { value } = parsed(`{"__proto__": {"isAdmin": "${LONG}"}, "a": "${LONG}"}`);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value as object)).toEqual(['__proto__', 'a']);
});

const big = `["${LONG}","${LONG}"]`;
it.each([
  ['', ''],
  ['two values', '1,2'],
  ['a value behind a large one', `${big}1`],
  ['a large one behind a large one', `[${big}${big}]`],
  ['a large one behind a value', `[1${big}]`],
  ['a large one without a key', `{${big}}`],
  ['a key for two', `{"a":1:${big}}`],
  ['a comma at the end of a list', `[${big},]`],
  ['a comma at the end of an object', `{"a":${big},}`],
  ['a comma at the end', `${big},`],
  ['two commas', `[${big},,1]`],
  ['a comma at the beginning', `[,${big}]`],
  ['a list that an object ends', `[${big}}`],
  ['an end without a beginning', `${big}]`],
  ['a list without an end', `[${big}`],
  ['a text without an end', `[${big},"a`],
  ['a text that ends with an escape', `[${big},"a\\`],
  ['a page of HTML', `<html>${'<p class="a">b</p>'.repeat(9_000)}`],
])('is no JSON: %s', (_, json) => {
  expect(() => JSON.parse(json) as unknown).toThrow(SyntaxError);
  expect(() => parsed(json)).toThrow(SyntaxError);
});

it.each([
  ['values', () => `[${'{},'.repeat(2_000_001)}1]`],
  ['levels', () => '['.repeat(1_000_000)],
  ['levels of objects', () => '{"a":'.repeat(100_000)],
  [
    'fields',
    () =>
      `{${list(10_001)
        .map((i) => `"${i}":{}`)
        .join()}}`,
  ],
  ['digits', () => `[${'1'.repeat(1_000_000)}]`],
  ['blanks', () => `[${' '.repeat(1_000_000)}]`],
  ['escapes', () => `["${'\\u0041'.repeat(100_000)}"]`],
  ['text', () => `["${'x'.repeat(17_000_000)}"]`],
])('reads no answer that has more %s than an honest one', (_, json) => {
  expect(() => parsed(json())).toThrow(expect.objectContaining({ code: 'ANSWER_TOO_LARGE' }) as Error);
});

it('reads a long text without escapes, as of a contract that is created', () => {
  const text = '0x'.padEnd(8_000_000, 'ab');
  expect(parsed(JSON.stringify({ result: [{ input: text }] })).value).toEqual({ result: [{ input: text }] });
});
