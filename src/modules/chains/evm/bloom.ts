import { hexToBytes, isHex, keccak256, type Hex } from 'viem';

const BLOOM_BYTES = 256;

/** Some chains write none, and a block without any log has none: of the former nothing can be left out by it. */
export const isWithoutBloom = (bloom: Hex): boolean => /^0x0*$/.test(bloom);

/** Whether a block's logs bloom may hold a value (an address or a topic): "no" is certain, "yes" is not. */
export function bloomMayHold(bloom: Hex, value: Hex): boolean {
  if (!isHex(bloom) || bloom.length !== 2 + BLOOM_BYTES * 2) return false;
  const bits = hexToBytes(bloom);
  const hash = hexToBytes(keccak256(hexToBytes(value)));
  return [0, 2, 4].every((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 0x7ff;
    return (((bits[BLOOM_BYTES - 1 - (bit >> 3)] ?? 0) >> (bit & 7)) & 1) === 1;
  });
}
