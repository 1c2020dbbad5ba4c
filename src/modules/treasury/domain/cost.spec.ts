import type { NetworkConfig } from '../../../config/config.types.js';
import { PRESETS } from '../../../config/networks.js';
import { expectedGas } from './batches.js';
import { costOf, kindOf } from './cost.js';

const network = PRESETS.find(({ id }) => id === 'polygon') as unknown as NetworkConfig;
const coin = network.assets.find(({ contract }) => contract === null)!;
const token = network.assets.find(({ contract }) => contract !== null)!;
const batched = [[{ isDeployed: false }, { isDeployed: true }], [{ isDeployed: true }]];
const conditions = {
  gasPriceAtoms: 30_000_000_000n,
  blockGas: 30_000_000n,
  isFactoryDeployed: true,
  hasDeployer: false,
};

it.each([
  ['coin', coin],
  ['token', token],
] as const)(
  'collecting a %s costs the gas that its batches use, at the price of now, in the coin',
  (kind, asset) => {
    const gas = expectedGas(batched, kind);
    expect(kindOf(asset)).toBe(kind);
    expect(costOf(network, asset, batched, conditions)).toEqual({
      transactions: 2,
      gas,
      feeAtoms: gas * 30_000_000_000n,
      coin: coin.symbol,
      coinDecimals: 18,
      isFactoryDeployed: true,
      hasDeployer: false,
    });
  },
);

it('is told in the coin’s smallest units also where a network has only tokens', () => {
  const cost = costOf({ ...network, assets: [token] }, token, batched, conditions);
  expect(cost).toMatchObject({ coin: 'coin', coinDecimals: 18 });
});

it('is not known where the node does not tell the price of gas', () => {
  expect(costOf(network, coin, batched, null)).toBeNull();
});
