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
  ['a = b; c', '"a = b; c"'],
  ['tea, -5 %', '"tea, -5 %"'],
  ['\ttabbed', '"\ttabbed"'],
])('writes %j as %s', (value, cell) => {
  expect(csvLine([value])).toBe(`${cell}\r\n`);
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
