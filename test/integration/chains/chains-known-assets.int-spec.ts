import type { AssetConfig } from '../../../src/config/config.types.js';
import { CannotStart } from '../../../src/platform/process/cannot-start.js';
import { ChainTest, startChains } from '../../chain/chains-fixture.js';

let test: ChainTest;

beforeAll(async () => {
  test = await ChainTest.start();
});
afterAll(() => test?.stop());

const known = () =>
  test.chains.dataSource.query(`SELECT symbol, decimals FROM known_asset ORDER BY symbol COLLATE "C"`);

const OTHER = `0x${'22'.repeat(20)}`;
const DAI = { symbol: 'DAI', decimals: 18, contract: `0x${'33'.repeat(20)}`, dustAtoms: 1n };
const KNOWN = [
  { symbol: 'ETH', decimals: 18 },
  { symbol: 'USDC', decimals: 6 },
  { symbol: 'USDT', decimals: 6 },
];

const called = (symbol: string, changes: Partial<AssetConfig>) =>
  test.network.assets.map((asset) => (asset.symbol === symbol ? { ...asset, ...changes } : asset));

/** Another process on the same database; whether it starts. */
async function start(assets: readonly AssetConfig[]): Promise<void> {
  const { app } = await startChains(test.database.url, [{ ...test.network, assets }]);
  await app.close();
}

it('starts with the assets that are known, in any order, spelling of the contract and number', async () => {
  const [coin, ...tokens] = test.network.assets;
  const lower = tokens.map((token) => ({ ...token, contract: token.contract!.toLowerCase() }));
  await start([...lower.reverse(), coin!]);
  await start([coin!]);
  expect(await known()).toEqual(KNOWN);
});

it.each([
  ['the coin under another symbol', () => called('ETH', { symbol: 'WETH' }), 'ETH with 18 decimals'],
  ['a token under another symbol', () => called('USDC', { symbol: 'USDX' }), 'USDC with 6 decimals'],
  ['another contract under a symbol', () => called('USDC', { contract: OTHER }), `contract ${OTHER}`],
  ['other decimals', () => called('USDT', { decimals: 8 }), 'USDT with 8 decimals'],
  [
    'two tokens that have changed places',
    () => test.network.assets.map((one) => ({ ...one, symbol: SWAPPED[one.symbol] ?? one.symbol })),
    'USDT with 6 decimals',
  ],
] as const)(
  'does not start with %s, and remembers nothing of that configuration',
  async (_, assets, said) => {
    const started = start([...assets(), DAI]);
    await expect(started).rejects.toThrow(CannotStart);
    await expect(started).rejects.toThrow(said);
    expect(await known()).toEqual(KNOWN);
  },
);
const SWAPPED: Readonly<Record<string, string>> = { USDC: 'USDT', USDT: 'USDC' };

it('starts one of two processes that call a new asset differently', async () => {
  const add = (symbol: string) => start([...test.network.assets, { ...DAI, symbol }]);
  const outcomes = await Promise.allSettled(['DAI', 'XDAI', 'DAIX', 'DAI2'].map(add));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await known()).toHaveLength(4);
});

it('says what to do on a database of an older version', async () => {
  await test.chains.dataSource.query('ALTER TABLE known_asset RENAME TO not_yet');
  await expect(start(test.network.assets)).rejects.toThrow('Run “rappen migrate” first');
  await test.chains.dataSource.query('ALTER TABLE not_yet RENAME TO known_asset');
});
