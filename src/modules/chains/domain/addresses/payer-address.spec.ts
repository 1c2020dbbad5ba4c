import { payerAddress } from './payer-address.js';

const EVM = { family: 'evm' } as const;
const BITCOIN = { family: 'bitcoin', chain: 'main' } as const;

describe('the address of a payer', () => {
  it('is in lower case on EVM networks, whatever was typed', () => {
    const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
    expect(payerAddress(EVM, address)).toBe(address.toLowerCase());
    expect(payerAddress(EVM, address.toLowerCase())).toBe(address.toLowerCase());
    expect(payerAddress(EVM, address.replace('d8dA', 'd8da'))).toBeNull();
  });

  it('is that of a key hash on Bitcoin-like ones, in lower case', () => {
    const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    expect(payerAddress(BITCOIN, address.toUpperCase())).toBe(address);
  });

  it.each([
    ['a script of SegWit', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
    ['Taproot', 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'],
    ['an old kind', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['another network', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
  ])('is never one of %s', (_kind, address) => {
    expect(payerAddress(BITCOIN, address)).toBeNull();
  });
});
