import { presentRate } from './present.js';

const PAIR = { base: 'USDC', quote: 'CHF' } as const;
const given = (denominator: bigint) =>
  presentRate(PAIR, {
    rate: { price: { numerator: 1n, denominator }, at: { monotonicMs: 0, wallMs: 0 } },
    samples: [],
    used: [],
    dropped: [],
    deviationBps: null,
  });

it('gives a rate of which the price has a digit, and none of which nothing is left', () => {
  expect(given(4n)).toMatchObject({ asset: 'USDC', currency: 'CHF' });
  expect(given(10n ** 40n)).toMatchObject({ price: { numerator: 1n } });
  expect(given(10n ** 41n)).toBeNull();
});
