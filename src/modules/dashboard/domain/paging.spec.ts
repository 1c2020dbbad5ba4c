import { paging } from './paging.js';

it.each([
  [0, 1, '0'],
  [1, 1, '1'],
  [3, 1, '1–3'],
  [51, 1, '1–50'],
  [51, 2, '51'],
  [51, 3, '0'],
  [1_234, 21, '1,001–1,050'],
])('of %d rows page %d has %s', (total, page, range) => {
  expect(paging({ language: 'en' }, '/x', {}, { page, pageSize: 50, total }).range).toBe(range);
});
