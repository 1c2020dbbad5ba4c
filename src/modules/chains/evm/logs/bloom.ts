import { type Hex, hexToBigInt, hexToBytes, keccak256, numberToHex } from 'viem';

const BLOOM_BYTES = 256;
const HEX_DIGITS = 2 + BLOOM_BYTES * 2;

const MOST_KEPT = 1_000;
/** Of the few values that a watcher asks for at each block, whose hash costs more than the rest. */
const bits = new Map<Hex, readonly number[]>();

/** Some chains write none, and a block without any log has none: of the former nothing can be left out by it. */
export const isWithoutBloom = (bloom: Hex): boolean => /^0x0*$/.test(bloom);

/** Whether a block's logs bloom may hold a value (an address or a topic): "no" is certain, "yes" is not. */
export function bloomMayHold(bloom: Hex, value: Hex): boolean {
  if (bloom.length !== HEX_DIGITS) return false;
  return bitsOf(value).every((bit) => {
    const digit = parseInt(bloom.charAt(HEX_DIGITS - 1 - (bit >> 2)), 16);
    return ((digit >> (bit & 3)) & 1) === 1;
  });
}

/** What may hold whatever either of two may hold. */
export function bloomOfEither(one: Hex, other: Hex): Hex {
  if (one === other || isWithoutBloom(other)) return one;
  if (isWithoutBloom(one)) return other;
  return numberToHex(hexToBigInt(one) | hexToBigInt(other), { size: BLOOM_BYTES });
}

/** Counted from the lowest bit of the last byte. */
function bitsOf(value: Hex): readonly number[] {
  const known = bits.get(value);
  if (known) return known;
  const hash = hexToBytes(keccak256(hexToBytes(value)));
  const found = [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 0x7ff);
  if (bits.size >= MOST_KEPT) bits.clear();
  bits.set(value, found);
  return found;
}
