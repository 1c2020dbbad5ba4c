import type { SandboxFile } from '../../modules/sandbox/sandbox-home.service.js';
import { DEFAULT_COUNT, endOf, ordersFor } from './orders.js';

const networks = {
  ethereum: { coin: 'ETH' },
  polygon: { coin: 'POL' },
  litecoin: { asset: 'LTC' },
} as unknown as SandboxFile['networks'];
const { litecoin: _none, ...withoutLitecoin } = networks;

it.each([
  ['with Litecoin', networks],
  ['without Litecoin', withoutLitecoin],
])('every order can be played as it is told, %s', (_title, offered) => {
  const orders = ordersFor(DEFAULT_COUNT, offered);
  expect(orders.every(({ choice }) => choice.network in offered)).toBe(true);
  expect(orders.map((order) => endOf(order, offered).ends)).toHaveLength(DEFAULT_COUNT);
});

it('decides only about what waits for a decision, and accepts only what expired', () => {
  for (const order of ordersFor(DEFAULT_COUNT, networks).filter(({ decision }) => decision !== null)) {
    const { ends, review } = endOf(order, networks);
    expect(review).not.toBeNull();
    if (order.decision === 'accept') expect(ends).toBe('expired');
  }
});

it('begins again from the first when more are asked for', () => {
  const orders = ordersFor(DEFAULT_COUNT + 2, networks);
  expect(orders.slice(-2)).toEqual(orders.slice(0, 2));
});
