import type { ChainVerdict } from '../../../chains/reconciliation/reconciliation.types.js';
import { withUnwatched } from './unwatched.js';

const CLEAN: ChainVerdict = {
  network: 'ethereum',
  verdict: 'clean',
  reason: null,
  height: 100,
  compared: 7,
  requests: 3,
  incomparable: { 'ETH of addresses that have sent': 2 },
  differences: [],
};

it('counts what is not configured any more beside what a node could not tell, of its own network', () => {
  const [ethereum, base] = withUnwatched(
    [CLEAN, { ...CLEAN, network: 'base', incomparable: {} }],
    [{ network: 'ethereum', asset: 'USDC', addresses: 4, isAcknowledged: false }],
  );
  expect(ethereum).toEqual({
    ...CLEAN,
    incomparable: {
      'ETH of addresses that have sent': 2,
      'addresses for USDC, which is not configured any more': 4,
    },
    needsAttention: true,
  });
  expect(base).toMatchObject({ incomparable: {}, needsAttention: false });
});

it('says of a network of which nothing is configured any more that it was not compared', () => {
  const unwatched = [
    { network: 'polygon', asset: 'POL', addresses: 1, isAcknowledged: true },
    { network: 'polygon', asset: 'USDC', addresses: 4, isAcknowledged: false },
  ];
  expect(withUnwatched([CLEAN], unwatched)).toEqual([
    { ...CLEAN, needsAttention: false },
    {
      network: 'polygon',
      verdict: 'unasked',
      reason: 'it is not in the configuration any more, and buyers were given 5 addresses there',
      height: null,
      compared: 0,
      requests: 0,
      incomparable: {
        'addresses for POL, which is not configured any more': 1,
        'addresses for USDC, which is not configured any more': 4,
      },
      differences: [],
      needsAttention: true,
    },
  ]);
});

it('needs nobody for what is acknowledged, and somebody for what differs all the same', () => {
  const known = { asset: 'USDC', addresses: 4, isAcknowledged: true };
  const checked = withUnwatched(
    [CLEAN, { ...CLEAN, network: 'base', verdict: 'unasked' }],
    ['ethereum', 'base', 'polygon'].map((network) => ({ network, ...known })),
  );
  expect(checked.map(({ network, needsAttention }) => [network, needsAttention])).toEqual([
    ['ethereum', false],
    ['base', true],
    ['polygon', false],
  ]);
});
