import {
  before,
  entryAt,
  inPieces,
  isOneOf,
  namesOf,
  only,
  ownValue,
  paired,
  tableOf,
  valueAt,
} from './lookups.js';

it('takes the one entry, and nothing of none or of several', () => {
  expect(only([7])).toBe(7);
  expect(only([0])).toBe(0);
  expect(() => only([])).toThrow('one entry is expected, of 0');
  expect(() => only([1, 2])).toThrow('one entry is expected, of 2');
});

it('takes an entry from either end, of lists and of bytes', () => {
  expect(entryAt(['a', 'b'], 0)).toBe('a');
  expect(entryAt(['a', 'b'], -1)).toBe('b');
  expect(entryAt(Buffer.from([1, 0]), 1)).toBe(0);
  expect(() => entryAt([], -1)).toThrow('no entry -1 of 0');
});

it('pairs lists of one length, and no others', () => {
  expect(paired(['a', 'b'], [null, 2])).toEqual([
    ['a', null],
    ['b', 2],
  ]);
  expect(paired([], [])).toEqual([]);
  expect(() => paired(['a'], [])).toThrow('1 beside 0 entries');
  expect(() => paired(['a'], [1, 2])).toThrow('1 beside 2 entries');
});

it('finds what a map has, and says what it has not', () => {
  const map = new Map<string, number | null>([
    ['zero', 0],
    ['nothing', null],
  ]);
  expect(valueAt(map, 'zero')).toBe(0);
  expect(valueAt(map, 'nothing')).toBeNull();
  expect(() => valueAt(map, 'one')).toThrow('no value at one');
});

it('knows of a table what was written into it alone', () => {
  expect(ownValue({ a: 1 }, 'a')).toBe(1);
  expect(ownValue({ a: 1 }, 'constructor')).toBeUndefined();
  expect(namesOf({ b: 1, a: 2 })).toEqual(['b', 'a']);
  expect(
    tableOf([
      ['b', 1],
      ['a', 2],
    ]),
  ).toEqual({ b: 1, a: 2 });
});

it('knows the entries of a list from others', () => {
  expect(isOneOf(['a', 'b'], 'b')).toBe(true);
  expect(isOneOf(['a', 'b'], 'c')).toBe(false);
  expect(isOneOf(['1'], 1)).toBe(false);
});

it('cuts a text at the first separator', () => {
  expect(before(':', 'bitcoin:bc1q:x')).toBe('bitcoin');
  expect(before('::/64', '2001:db8::/64')).toBe('2001:db8');
  expect(before(':', ':x')).toBe('');
  expect(before(':', 'bc1q')).toBe('bc1q');
});

it('a list in pieces is the same list, and none of them is longer or empty', () => {
  expect(inPieces([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(inPieces([1, 2, 3, 4], 2)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(inPieces([], 2)).toEqual([]);
});
