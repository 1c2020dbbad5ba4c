import type { NetworkConfig } from '../../../config/config.types.js';
import { paymentUris } from './payment-uri.pure.js';

const network = { family: 'evm', chainId: 8453 } as NetworkConfig;
const address = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';
const contract = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

describe('paymentUris', () => {
  it('are not written for an EVM network of which nobody says which it is', () => {
    const coin = { symbol: 'ETH', decimals: 18, contract: null, dustAtoms: 0n };
    expect(() => paymentUris({ ...network, chainId: null }, coin, address, 1n)).toThrow(
      'cannot be derived yet',
    );
  });

  it('asks for a coin in plain digits, however many', () => {
    const coin = { symbol: 'ETH', decimals: 18, contract: null, dustAtoms: 0n };
    expect(paymentUris(network, coin, address, 2_014_000_000_000_000_000_000n)).toEqual({
      withAmount: `ethereum:${address}@8453?value=2014000000000000000000`,
      addressOnly: address,
    });
  });

  it('asks for a token by its contract', () => {
    const token = { symbol: 'USDC', decimals: 6, contract, dustAtoms: 0n };
    expect(paymentUris(network, token, address, 12_500_000n).withAmount).toBe(
      `ethereum:${contract}@8453/transfer?address=${address}&uint256=12500000`,
    );
  });

  it('asks for bitcoin in plain digits without blank zeros, down to the last atom', () => {
    const btc = { symbol: 'BTC', decimals: 8, contract: null, dustAtoms: 294n };
    const to = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';
    const uri = (family: 'bitcoin' | 'litecoin', atoms: bigint) =>
      paymentUris({ family, chainId: null } as NetworkConfig, btc, to, atoms);
    expect(uri('bitcoin', 150_000n)).toEqual({ withAmount: `bitcoin:${to}?amount=0.0015`, addressOnly: to });
    expect(uri('bitcoin', 1n).withAmount).toBe(`bitcoin:${to}?amount=0.00000001`);
    expect(uri('bitcoin', 2_100_000_000_000_000n).withAmount).toBe(`bitcoin:${to}?amount=21000000`);
    expect(uri('litecoin', 1_000_000_000n).withAmount).toBe(`litecoin:${to}?amount=10`);
  });
});
