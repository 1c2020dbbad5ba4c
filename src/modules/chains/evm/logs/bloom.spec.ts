import { bytesToHex, type Hex, hexToBytes, keccak256 } from 'viem';
import { bloomMayHold } from './bloom.js';

/** Built the other way round than it is read: three 11-bit numbers, counted from the last bit (yellow paper, 4.3.1). */
function bloomOf(...values: Hex[]): Hex {
  let bits = 0n;
  for (const value of values) {
    const hash = keccak256(hexToBytes(value));
    for (const at of [2, 6, 10]) bits |= 1n << (BigInt(`0x${hash.slice(at, at + 4)}`) & 2047n);
  }
  return `0x${bits.toString(16).padStart(512, '0')}`;
}

describe('bloomMayHold', () => {
  const contract: Hex = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
  const other: Hex = '0x9858effd232b4033e47d90003d41ec34ecaeda94';

  it('holds what was put in, and not what was not', () => {
    expect(bloomMayHold(bloomOf(contract), contract)).toBe(true);
    expect(bloomMayHold(bloomOf(contract), other)).toBe(false);
    expect(bloomMayHold(bytesToHex(new Uint8Array(256).fill(255)), other)).toBe(true);
  });

  it('takes a bloom of another size for an empty one', () => {
    expect(bloomMayHold('0x', contract)).toBe(false);
  });
});
