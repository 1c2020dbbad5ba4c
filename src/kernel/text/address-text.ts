/** Cuts an address into groups of four, for somebody who compares it; an EVM address's "0x" goes with none of them. */
export function addressGroups(address: string): { prefix: string; groups: string[] } {
  const prefix = address.startsWith('0x') ? '0x' : '';
  return { prefix, groups: address.slice(prefix.length).match(/.{1,4}/gsu) ?? [] };
}

/** An address as somebody typed it: where it was pasted over two lines or in groups it is one address all the same. */
export function typedAddress(typed: string): string {
  return typed.replaceAll(/\s/g, '');
}
