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

it('is nobody’s who has forgotten to say whose it must be', () => {
  expect([null, undefined, ''].map((missing) => isOf(missing as never, payment))).toEqual([
    false,
    false,
    false,
  ]);
});
