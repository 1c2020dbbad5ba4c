import { mnemonicToAccount } from 'viem/accounts';
import { deriveAddress } from './derive-address.js';
import { LAST_INDEX } from './last-index.js';
import { receiveNode } from './receive-node.js';

const path = "m/44'/60'/0'";
const XPUB = mnemonicToAccount(`${'abandon '.repeat(11)}about`, { path }).getHdKey().publicExtendedKey;

it('an address is written as its family does', () => {
  const evm = deriveAddress({ family: 'evm' }, XPUB, 0);
  expect(evm.address).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94');
  expect(deriveAddress({ family: 'bitcoin', chain: 'main' }, XPUB, 0).address).toMatch(/^bc1q/);
  expect(deriveAddress({ family: 'evm' }, XPUB, 0)).toEqual(evm);
});

it('is never guessed where nobody says which chain it is for', () => {
  expect(() => deriveAddress({ family: 'bitcoin' }, XPUB, 0)).toThrow('cannot be derived yet');
});

it.each([-1, 0.5, Number.NaN, 2 ** 31])('there is none at index %s', (index) => {
  expect(() => receiveNode(XPUB, index)).toThrow(new RangeError('index out of range'));
});

it('there is one at the last index, and one behind it', () => {
  for (const index of [LAST_INDEX, LAST_INDEX + 1])
    expect(deriveAddress({ family: 'evm' }, XPUB, index).address).toMatch(/^0x/);
});
