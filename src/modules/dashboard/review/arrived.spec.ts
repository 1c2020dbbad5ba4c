import { amountOf } from '../../../../test/support/intents/amount.js';
import type { ReviewTransfer } from '../../intents/reviews.types.js';
import { sayIn } from '../language/say.js';
import { arrivedOf, arrivedText } from './arrived.js';

const came = (asset: string, networkName: string, amount: string | null) =>
  ({
    asset,
    network: networkName.toLowerCase(),
    networkName,
    amount: amount === null ? null : amountOf(amount),
  }) as ReviewTransfer;

it('names what came by its asset and network, each added up', () => {
  const transfers = [
    came('USDC', 'Polygon', '25'),
    came('ETH', 'Ethereum', '0.01'),
    came('USDC', 'Polygon', '0.5'),
  ];
  expect(arrivedOf({ transfers })).toHaveLength(2);
  const said = (language: 'en' | 'de') =>
    arrivedText(sayIn(language), { transfers })?.replaceAll('\u00a0', ' ');
  expect(said('en')).toBe('25.5 USDC on Polygon and 0.01 ETH on Ethereum');
  expect(said('de')).toMatch(/^25\.5 USDC auf Polygon und 0\.01 ETH auf Ethereum$/);
  expect(arrivedText(sayIn('en'), { transfers: [] })).toBeNull();
});

it('knows no sum of an asset that is no longer configured', () => {
  const [one] = arrivedOf({ transfers: [came('OLD', 'Base', '1'), came('OLD', 'Base', null)] });
  expect(one).toEqual({ asset: 'OLD', networkName: 'Base', amount: null });
});
