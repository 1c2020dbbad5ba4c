/** Cuts an address into groups of four, for somebody who compares it; an EVM address's "0x" goes with none of them. */
export function addressGroups(address: string): { prefix: string; groups: string[] } {
  const prefix = address.startsWith('0x') ? '0x' : '';
  return { prefix, groups: address.slice(prefix.length).match(/.{1,4}/gsu) ?? [] };
}
