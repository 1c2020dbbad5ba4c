import { seenFields, seenIds } from './seen.js';

const ids = (length: number) => Array.from({ length }, (_, i) => `tr_${i}`);

it('a form sends the ids of a hundred transfers, and of more a line that fits into any form', () => {
  expect(seenFields(ids(100))).toEqual(ids(100));
  const fields = seenFields(ids(20_000));
  expect(fields).toEqual([expect.stringMatching(/^20000 [0-9a-f]{64}$/)]);
});

it('what was seen is the same, whatever came behind it since', () => {
  for (const length of [1, 100, 101, 5_000])
    expect(seenIds(seenFields(ids(length)), ids(6_000))).toEqual(ids(length));
});

it('nothing was seen where one of many is gone, or another stands before them', () => {
  const fields = seenFields(ids(500));
  for (const present of [[], ids(499), ids(501).slice(1), ['tr_new', ...ids(500)]])
    expect(seenIds(fields, present)).toEqual([]);
});
