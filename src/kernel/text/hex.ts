/** Hexadecimal behind `0x`, as EVM nodes and viem write bytes, hashes and addresses. */
export type Hex = `0x${string}`;

export function isHex(text: string): text is Hex {
  return /^0x[0-9a-fA-F]*$/.test(text);
}

/** Of a text that is known to be one, such as an address from a column. @throws RangeError where it is none; never repeats it */
export function hexOf(text: string): Hex {
  if (!isHex(text)) throw new RangeError('a text is no hexadecimal with 0x before it');
  return text;
}
