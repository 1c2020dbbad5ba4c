import fc from 'fast-check';
import pg from 'pg';
import { momentOf, rowReader } from './columns.js';

interface Row {
  readonly id: string;
  readonly atoms: bigint;
  readonly excess: bigint | null;
}

it('a row is read with its bigints, beyond what a float holds, and nothing where there is none', () => {
  const read = rowReader<Row>({ atoms: true, excess: true });
  expect(read({ id: '7', atoms: '9007199254740993', excess: '0' })).toEqual({
    id: '7',
    atoms: 9_007_199_254_740_993n,
    excess: 0n,
  });
  expect(read({ id: '7', atoms: '1', excess: null })).toEqual({ id: '7', atoms: 1n, excess: null });
});

describe('a moment', () => {
  const { TIMESTAMPTZ } = pg.types.builtins;
  const byLibrary = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => unknown;

  const padded = (length: number) => (value: number) => String(value).padStart(length, '0');
  const upTo = (min: number, max: number) => fc.integer({ min, max }).map(padded(2));
  /** PostgreSQL's years have four digits at least, and end in 294276. */
  const year = fc
    .oneof(
      fc.integer({ min: 1, max: 294_276 }),
      fc.integer({ min: 1, max: 10_001 }),
      fc.integer({ min: 1970, max: 2100 }),
    )
    .map(padded(4));
  const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,6}$/));
  const zone = fc.oneof(
    { weight: 5, arbitrary: fc.constant('+00') },
    { weight: 1, arbitrary: fc.constantFrom('+02', '-05:30', '+05:45', '+00:34:08', 'Z', '') },
  );
  const era = fc.oneof(
    { weight: 9, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constant(' BC') },
  );
  const written = fc
    .tuple(year, upTo(1, 12), upTo(1, 31), upTo(0, 23), upTo(0, 59), upTo(0, 59), fraction, zone, era)
    .map(([y, mo, d, h, mi, s, f, z, e]) => `${y}-${mo}-${d} ${h}:${mi}:${s}${f}${z}${e}`);

  /** What JavaScript has no date for is none for both. */
  const asNumber = (moment: unknown) => (moment instanceof Date ? moment.getTime() : moment);
  const same = (text: string) =>
    expect([text, asNumber(momentOf(text))]).toEqual([text, asNumber(byLibrary(text))]);

  it('is the moment that the library reads, however it is written', () => {
    fc.assert(fc.property(written, same), { numRuns: 10_000 });
  });

  it('has each thousandth, cut off behind it and not rounded', () => {
    for (let ms = 0; ms < 1_000; ms += 1)
      for (const more of ['', '0', '4', '999']) same(`2026-11-27 12:00:59.${padded(3)(ms)}${more}+00`);
    expect(momentOf('2026-11-27 12:00:59.9999+00')).toEqual(new Date('2026-11-27T12:00:59.999Z'));
  });

  it.each([
    '0001-01-01 00:00:00+00',
    '0099-12-31 23:59:59.5+00',
    '0100-01-01 00:00:00+00',
    '0999-12-31 23:59:59.999999+00',
    '9999-12-31 23:59:59.999999+00',
    '10000-01-01 00:00:00+00',
    '10000-01-01 00:00:00.5+00',
    '4713-01-01 00:00:00+00 BC',
    '2024-02-29 00:00:00+00',
    'infinity',
    '-infinity',
  ])('reads %s', (text) => {
    same(text);
    expect([Date, Number]).toContain((momentOf(text) as Date | number).constructor);
  });
});
