import { createHash } from 'node:crypto';
import { bech32, bech32m, createBase58check } from '@scure/base';
import { readAddress } from './read-address.js';

const EVM = { family: 'evm' } as const;
const BITCOIN = { family: 'bitcoin', chain: 'main' } as const;
const REGTEST = { family: 'litecoin', chain: 'regtest' } as const;
const LITECOIN = { family: 'litecoin', chain: 'main' } as const;
const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'; // EIP-55's first vector

describe('readAddress', () => {
  it.each([
    ['an EVM address with its checksum', EVM, CHECKSUMMED, CHECKSUMMED],
    ['one in lower case, and gives it its checksum', EVM, CHECKSUMMED.toLowerCase(), CHECKSUMMED],
    ['one in upper case', EVM, `0x${CHECKSUMMED.slice(2).toUpperCase()}`, CHECKSUMMED],
    [
      'a segwit address in upper case, as QR codes have it',
      BITCOIN,
      'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    ],
    [
      'a taproot address',
      BITCOIN,
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    ],
    [
      'an address of the first kind',
      BITCOIN,
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    ],
    ['a script’s', BITCOIN, '3P14159f73E4gFr7JterCCQh9QjiTjiZrG', '3P14159f73E4gFr7JterCCQh9QjiTjiZrG'],
  ] as const)('takes %s', (_name, network, text, address) => {
    expect(readAddress(network, text)).toBe(address);
  });

  it.each([
    ['another beginning', EVM, `XX${CHECKSUMMED.slice(2).toLowerCase()}`],
    ['a wrong checksum', EVM, CHECKSUMMED.replace('aA', 'Aa')],
    ['a digit too few', EVM, CHECKSUMMED.slice(0, -1)],
    ['no address at all', EVM, `0x${'0'.repeat(40)}`],
    ['another network’s kind of address', EVM, '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['an EVM address', BITCOIN, CHECKSUMMED],
    ['a segwit typing error', BITCOIN, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
    ['a base58 typing error', BITCOIN, '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb'],
    ['mixed case', BITCOIN, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4'],
    [
      'a version that nobody owns',
      BITCOIN,
      'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    ],
    ['the test chain’s', BITCOIN, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
    ['Bitcoin’s', LITECOIN, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['a script’s that could be Bitcoin’s', LITECOIN, '3P14159f73E4gFr7JterCCQh9QjiTjiZrG'],
    ['the main chain’s on another', REGTEST, 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'],
    ['nothing', BITCOIN, ''],
    ['a sentence', EVM, 'to my wallet, please'],
  ] as const)('refuses %s', (_name, network, text) => {
    expect(readAddress(network, text)).toBeNull();
  });

  it('holds each version of witness to its own checksum and length', () => {
    const read = (coder: typeof bech32, version: number, bytes: number) =>
      readAddress(BITCOIN, coder.encode('bc', [version, ...coder.toWords(new Uint8Array(bytes))])) !== null;
    expect([read(bech32, 0, 20), read(bech32, 0, 32), read(bech32m, 1, 32)]).toEqual([true, true, true]);
    expect([read(bech32m, 0, 32), read(bech32, 1, 32)]).toEqual([false, false]);
    expect([read(bech32, 0, 21), read(bech32m, 1, 20), read(bech32m, 2, 32)]).toEqual([false, false, false]);
  });

  it('holds an address of the first kind to its chain and length', () => {
    const base58 = createBase58check((data) => createHash('sha256').update(data).digest());
    const of = (version: number, bytes = 20) =>
      base58.encode(Uint8Array.of(version, ...new Uint8Array(bytes)));
    const TEST = { family: 'bitcoin', chain: 'test' } as const;
    const read = (network: typeof BITCOIN | typeof TEST, text: string) => readAddress(network, text) !== null;
    expect([read(BITCOIN, of(0x00)), read(TEST, of(0x6f)), read(TEST, of(0xc4))]).toEqual([true, true, true]);
    expect([read(BITCOIN, of(0x6f)), read(TEST, of(0x00)), read(TEST, of(0x05))]).toEqual([
      false,
      false,
      false,
    ]);
    expect([read(BITCOIN, of(0x00, 21)), read(BITCOIN, of(0x00, 19))]).toEqual([false, false]);
  });
});
