import { assetKey } from './asset-key.js';

it('a contract is one asset in every spelling, and no contract is the coin', () => {
  const checksummed = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  expect(assetKey({ contract: checksummed })).toBe(checksummed.toLowerCase());
  expect(assetKey({ contract: null })).toBe('native');
});
