import { takeRandomBytes } from './random-bytes.js';

it('gives no bytes twice, also where one pool ends and the next begins', () => {
  const taken = Array.from({ length: 1_000 }, () => takeRandomBytes(20));
  expect(taken.every(({ length }) => length === 20)).toBe(true);
  expect(new Set(taken.map((bytes) => bytes.toString('hex'))).size).toBe(1_000);
});

it('leaves what it gave as it was', () => {
  const first = takeRandomBytes(16);
  const before = first.toString('hex');
  for (let n = 0; n < 1_000; n++) takeRandomBytes(16);
  expect(first.toString('hex')).toBe(before);
});
