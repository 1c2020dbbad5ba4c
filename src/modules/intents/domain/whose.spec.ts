import { ANYBODYS } from '../../../database/by.js';
import { filterOf, isOf } from './whose.js';

const payment = { merchantId: 'mer_1' };

it('is its merchant’s, and open to whom everybody’s are', () => {
  expect([isOf('mer_1', payment), isOf('mer_2', payment), isOf(ANYBODYS, payment)]).toEqual([
    true,
    false,
    true,
  ]);
  expect([filterOf('mer_1'), filterOf(ANYBODYS)]).toEqual(['mer_1', null]);
});

it.each([null, undefined, ''])('opens nothing where whose it must be is missing (%j)', (missing) => {
  expect(isOf(missing as never, payment)).toBe(false);
  expect(() => filterOf(missing as never)).toThrow('nobody said which');
});
