import fc from 'fast-check';
import { encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem';
import type { AssetConfig, NetworkConfig } from '../../../config/config.types.js';
import { transferCall } from './transfer-call.pure.js';

const network = { family: 'evm', chainId: 8453 } as NetworkConfig;
const contract = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const token: AssetConfig = { symbol: 'USDC', decimals: 6, contract, dustAtoms: 0n };
const MOST = 2n ** 256n - 1n;

/** As viem writes it. */
const written = (to: string, atoms: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Hex, atoms] });

const hex = fc.stringMatching(/^[0-9a-f]{40}$/).map((digits): Hex => `0x${digits}`);
const address = fc.oneof(hex, hex.map(getAddress));
const amount = fc.oneof(fc.bigInt(0n, MOST), fc.bigInt(0n, 10n ** 12n), fc.constantFrom(0n, MOST));

it('pays with a token by the very bytes that viem writes', () => {
  fc.assert(
    fc.property(address, amount, (to, atoms) => {
      const data = written(to, atoms);
      expect(transferCall(network, token, to, atoms)).toEqual({
        chainId: 8453,
        to: contract,
        data,
        value: '0x0',
      });
    }),
  );
});

it.each([
  ['nothing', '', 1n],
  ['a wrong checksum', getAddress(`0x${'ab'.repeat(20)}`).replace('A', 'a'), 1n],
  ['a digit too few', `0x${'1'.repeat(39)}`, 1n],
  ['another network', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 1n],
  ['what does not fit', `0x${'1'.repeat(40)}`, MOST + 1n],
  ['less than nothing', `0x${'1'.repeat(40)}`, -1n],
])('refuses %s, as viem does', (_what, to, atoms) => {
  expect(() => written(to, atoms)).toThrow();
  expect(() => transferCall(network, token, to, atoms)).toThrow();
});

it('pays with the coin by its value, and elsewhere by none', () => {
  const coin = { ...token, contract: null };
  const to = `0x${'1'.repeat(40)}`;
  expect(transferCall(network, coin, to, 255n)).toEqual({ chainId: 8453, to, data: '0x', value: '0xff' });
  expect(transferCall({ ...network, chainId: null }, token, to, 1n)).toBeNull();
});
