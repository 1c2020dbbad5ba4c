import fc from '../../../test/support/run/fast-check.js';
import { runsOf } from '../../../test/support/run/seed.js';
import { csvLine, csvOf } from './csv.js';

it.each<[string | number | null, string]>([
  ['plain', 'plain'],
  ['', ''],
  [null, ''],
  [7, '7'],
  ['0.10', '0.10'],
  ['-12.5', '-12.5'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("https://evil.example","x")', '"\'=HYPERLINK(""https://evil.example"",""x"")"'],
  ['+41 44', "'+41 44"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', '"\'\t\'=1"'],
  ['\n=1', '"\'\n\'=1"'],
  ['\r=1', '"\'\r\'=1"'],
  [' =1', "' =1"],
  ['\u00a0=1', "'\u00a0=1"],
  ['\u3000=1', "'\u3000=1"],
  ['\ufeff=1', "'\ufeff=1"],
  ['\u200b=1', "'\u200b=1"],
  ['\u200e\u2060=1', "'\u200e\u2060=1"],
  ['\u00ad=1', "'\u00ad=1"],
  ['\x01=1', "'\x01=1"],
  ['\u3164=1', "'\u3164=1"],
  ['\u034f=1', "'\u034f=1"],
  ['\ufe0f=1', "'\ufe0f=1"],
  ['\u{e0100}=1', "'\u{e0100}=1"],
  ['\u180b=1', "'\u180b=1"],
  ['\u17b4=1', "'\u17b4=1"],
  ['\u2800=1', "'\u2800=1"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1+1', "'－1+1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['﹦1', "'﹦1"],
  ['−2+3', "'−2+3"],
  ['a;=1+1', '"a;\'=1+1"'],
  ['a; ＝1', '"a;\' ＝1"'],
  ['a\t=1', '"a\t\'=1"'],
  ['two\n=lines', '"two\n\'=lines"'],
  ['Order 7";"=1+1;', '"Order 7"";\'""=1+1;"'],
  ['a; "" =1', '"a;\' """" =1"'],
  ['a = b; c', '"a = b; c"'],
  ['tea, -5 %', '"tea, -5 %"'],
  ['\ttabbed', '"\ttabbed"'],
])('writes %j as %s', (value, cell) => {
  expect(csvLine([value])).toBe(`${cell}\r\n`);
});

it('leaves a negative number as it is behind another cell, and at the front only alone', () => {
  expect(csvLine(['a', -1, '-2.5'])).toBe('a,-1,-2.5\r\n');
  expect(csvLine([-1, '2+3'])).toBe("'-1,2+3\r\n");
});

/**
 * The cells of CSV, read as leniently as spreadsheets and libraries do: a quote opens a cell only where it begins, what stands behind
 * the one that closes it belongs to the cell, and a line end within quotes does not end the row.
 * @param mayIndent whether blanks in front of an opening quote are dropped
 */
function cellsOf(text: string, separator: string, mayIndent: boolean): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[i + 1] === '"') cell += text[i++]!;
      else isQuoted = false;
    } else if (char === separator || char === '\r' || char === '\n') {
      cells.push(cell);
      cell = '';
    } else if (char === '"' && (cell === '' || (mayIndent && cell.trim() === ''))) {
      cell = '';
      isQuoted = true;
    } else cell += char;
  }
  return [...cells, cell];
}

describe('a reader of the lines', () => {
  it('of the test reads quotes as RFC 4180 says, and what it leaves open as Python’s does', () => {
    expect(cellsOf('a,"b,""c""\r\nd","",e\r\n', ',', false)).toEqual(['a', 'b,"c"\r\nd', '', 'e', '', '']);
    expect(cellsOf('pi_1,"Order 7"";""=1+1;",settled', ';', false)).toEqual([
      'pi_1,"Order 7""',
      '=1+1',
      ',settled',
    ]);
  });

  /** Behind quotes, too: what a reader drops is never more than this. */
  const SIGN = /^["\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*[=+@−-]/u;
  const PLAIN = /^-?\d+(\.\d+)?$/;
  const PIECES = [
    '"',
    '""',
    ';',
    ',',
    '\t',
    '\n',
    '\r',
    ' ',
    "'",
    '\u200b',
    '\0',
    'a',
    '1',
    '=1+1',
    '+',
    '-',
    '@',
    '＝',
  ];
  const piece = fc.constantFrom(...PIECES);
  const cell = fc.oneof(
    { arbitrary: fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')), weight: 6 },
    { arbitrary: fc.oneof(fc.integer(), fc.constant(null), fc.constant('-0.5')), weight: 1 },
  );
  const rowOf = (columns: number) => fc.array(cell, { minLength: columns, maxLength: columns });
  const rows = fc
    .integer({ min: 1, max: 4 })
    .chain((n) => fc.array(rowOf(n), { minLength: 1, maxLength: 3 }));

  it.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('that separates by %s finds no formula in any', (_, separator) => {
    fc.assert(
      fc.property(rows, fc.boolean(), (written, mayIndent) => {
        const read = cellsOf(written.map(csvLine).join(''), separator, mayIndent);
        expect(read.filter((one) => SIGN.test(one.normalize('NFKC')) && !PLAIN.test(one))).toEqual([]);
      }),
      { numRuns: runsOf('LONG', 1_000) },
    );
  });

  it('that separates by commas finds what was written, but for apostrophes', () => {
    fc.assert(
      fc.property(rows, ([row = []]) => {
        const without = (text: string) => text.replaceAll("'", '');
        const read = cellsOf(csvLine(row), ',', false);
        expect(read.slice(0, -2).map(without)).toEqual(row.map((one) => without(String(one ?? ''))));
      }),
    );
  });
});

it('separates cells with commas and ends the line', () => {
  expect(csvLine(['a', 1, null])).toBe('a,1,\r\n');
});

it('writes the names of the columns, and then each row as it comes', async () => {
  async function* rows() {
    yield await Promise.resolve({ id: 'a', count: 1 });
    yield { id: '=b', count: null };
  }
  const lines = csvOf<{ id: string; count: number | null }>(
    [
      ['id', ({ id }) => id],
      ['count', ({ count }) => count],
    ],
    rows(),
  );
  const written: string[] = [];
  for await (const line of lines) written.push(line);
  expect(written).toEqual(['id,count\r\n', 'a,1\r\n', "'=b,\r\n"]);
});

async function* none(why?: Error): AsyncGenerator<never> {
  await Promise.resolve();
  if (why) throw why;
}

it('writes the names where there is no row, and nothing where no row could be read', async () => {
  const names = [['id', () => 'a']] as const;
  expect(await csvOf(names, none()).next()).toEqual({ value: 'id\r\n', done: false });
  await expect(csvOf(names, none(new Error('gone'))).next()).rejects.toThrow('gone');
});
